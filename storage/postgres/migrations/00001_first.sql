-- Identifiers and keys are bytea, so that their order is that of their bytes whatever the
-- database's collation. Times are milliseconds of Unix time. Columns next to a record are
-- what it is found by; records are those of package record.

-- +goose Up
CREATE TABLE meta (
    name  text PRIMARY KEY,
    value bytea NOT NULL
);

-- A match, with the requests that led to its versions 1, 2, ….
CREATE TABLE matches (
    id       bytea PRIMARY KEY,
    slot     bytea NOT NULL,
    version  bigint NOT NULL,
    requests bytea[] NOT NULL,
    playing  boolean NOT NULL,
    began    bigint NOT NULL,
    log      bigint, -- number of its result, once it has ended
    number   bigint, -- in the history of its community, while it is in it
    record   bytea NOT NULL
);
CREATE INDEX matches_playing ON matches (began ASC, id ASC) WHERE playing;

-- The latest match of each slot. The player is that of a player's own slot.
CREATE TABLE slots (
    key    bytea PRIMARY KEY,
    match  bytea NOT NULL,
    player bytea
);
CREATE INDEX slots_player ON slots (player) WHERE player IS NOT NULL;

-- The requests of matches that have ended, and those to clear a history, which have no match.
CREATE TABLE receipts (
    request bytea PRIMARY KEY,
    match   bytea,
    version bigint NOT NULL,
    made    bigint NOT NULL
);
CREATE INDEX receipts_made ON receipts (made ASC);

CREATE TABLE recent (
    list    bytea PRIMARY KEY,
    answers bytea NOT NULL
);

CREATE TABLE puzzles (
    kind   bytea NOT NULL,
    puzzle bytea NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (kind, puzzle)
);

-- The log of results. A sequence numbers it without making one commit wait for another;
-- a transaction that fails leaves a gap.
CREATE SEQUENCE result_numbers;
CREATE TABLE results (
    match     bytea PRIMARY KEY,
    log       bigint NOT NULL,
    community bytea NOT NULL,
    number    bigint, -- in the community, while the match is in its history
    public    boolean NOT NULL,
    status    bytea NOT NULL,
    kind      bytea NOT NULL,
    channel   bytea NOT NULL, -- whose readers may see it
    answer    bytea NOT NULL,
    record    bytea NOT NULL
);
CREATE UNIQUE INDEX results_log ON results (log ASC);
CREATE INDEX results_history ON results (community, public, number ASC);
CREATE INDEX results_answer ON results (community, public, answer, number ASC);

-- The players named in a finished match: their histories.
CREATE TABLE named (
    player    bytea NOT NULL,
    log       bigint NOT NULL,
    match     bytea NOT NULL,
    community bytea NOT NULL,
    number    bigint NOT NULL,
    public    boolean NOT NULL,
    status    bytea NOT NULL,
    kind      bytea NOT NULL,
    channel   bytea NOT NULL,
    answer    bytea NOT NULL,
    PRIMARY KEY (player, log)
);
CREATE INDEX named_history ON named (player, community, public, number ASC);

-- The numbers given last, and removed last, in the history of a community. Its row is locked
-- by whoever ends a match there, and so are its leaderboards with it.
CREATE TABLE communities (
    community bytea PRIMARY KEY,
    number    bigint NOT NULL,
    forgotten bigint NOT NULL
);

-- The rank orders the leaderboard of a guild. It is null for a player without a place, and
-- everywhere (the empty guild).
CREATE TABLE totals (
    player bytea NOT NULL,
    kind   bytea NOT NULL,
    guild  bytea NOT NULL,
    rank   bytea,
    record bytea NOT NULL,
    PRIMARY KEY (player, kind, guild)
);
CREATE INDEX totals_rank ON totals (guild, kind, rank ASC) WHERE rank IS NOT NULL;

-- The order of a leaderboard, cut into chunks of adjacent ranks, each with how many players it
-- has. It has the ranks from its bound on, up to the next one's.
CREATE TABLE rank_chunks (
    guild   bytea NOT NULL,
    kind    bytea NOT NULL,
    bound   bytea NOT NULL,
    players bigint NOT NULL,
    PRIMARY KEY (guild, kind, bound)
);

-- What remains of results that were removed from the log.
CREATE TABLE archive (
    player bytea NOT NULL,
    kind   bytea NOT NULL,
    guild  bytea NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (player, kind, guild)
);

-- The clearings in progress, each up to a number of the log.
CREATE TABLE clearing (
    player bytea PRIMARY KEY,
    log    bigint NOT NULL
);

CREATE TABLE reviews (
    match  bytea PRIMARY KEY,
    record bytea NOT NULL
);

CREATE TABLE sessions (
    player  bytea PRIMARY KEY,
    version bigint NOT NULL,
    record  bytea NOT NULL
);

CREATE TABLE looks (
    player bytea PRIMARY KEY,
    record bytea NOT NULL
);

CREATE TABLE servers (
    guild  bytea PRIMARY KEY,
    record bytea NOT NULL
);

CREATE TABLE board_messages (
    slot    bytea PRIMARY KEY,
    match   bytea NOT NULL,
    message bytea NOT NULL
);

-- Work that one process at a time does when it is due: which process, until when it may, and
-- the number of its turn. The row "history" is only locked, by what removes matches or names
-- from histories.
CREATE TABLE work (
    name       text PRIMARY KEY,
    due        timestamptz NOT NULL,
    owner      text,
    lease      timestamptz,
    generation bigint NOT NULL
);
INSERT INTO work (name, due, generation) VALUES ('history', now(), 0);
