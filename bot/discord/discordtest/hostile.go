package discordtest

import "strings"

// HostileFrames are frames that no Discord should send.
var HostileFrames = []string{
	`null`, `true`, `0`, `""`, `[]`, `{}`, ``, ` `, `{`, `{"op":`, "\x00", "\xff\xfe", `{"op":null}`, `{"op":"0"}`, `{"op":1e99}`, `{"op":-1}`, `{"op":99}`, `{"op":2}`, `{"op":6}`,
	`{"op":0}`, `{"op":0,"t":null,"d":null}`, `{"op":0,"t":5,"s":1,"d":{}}`, `{"op":0,"t":"READY","d":null}`, `{"op":0,"t":"READY","d":[]}`, `{"op":0,"t":"READY","d":{}}`,
	`{"op":0,"t":"READY","s":"x","d":{"session_id":7}}`, `{"op":0,"t":"READY","s":-5,"d":{"session_id":"h","user":null,"application":null,"guilds":null}}`,
	`{"op":0,"t":"READY","s":9,"d":{"session_id":"h","resume_gateway_url":"http://elsewhere.test","user":{"id":"1"}}}`,
	`{"op":0,"t":"READY","s":9,"d":{"session_id":"h","resume_gateway_url":"::","user":{"id":"1"}}}`,
	`{"op":0,"t":"RESUMED","s":9223372036854775807,"d":null}`, `{"op":0,"t":"RESUMED","s":1e30,"d":null}`,
	`{"op":0,"t":"INTERACTION_CREATE","s":9,"d":null}`, `{"op":0,"t":"INTERACTION_CREATE","s":9,"d":[]}`, `{"op":0,"t":"INTERACTION_CREATE","s":9,"d":{"type":"x"}}`,
	`{"op":0,"t":"VOICE_SERVER_UPDATE","s":9,"d":{}}`, `{"op":0,"t":"VOICE_STATE_UPDATE","s":9,"d":{"channel_id":"1","guild_id":"1"}}`, `{"op":0,"t":"GUILD_CREATE","s":9,"d":null}`,
	`{"op":1}`, `{"op":7}`, `{"op":7,"d":{}}`, `{"op":9}`, `{"op":9,"d":true}`, `{"op":9,"d":"x"}`, `{"op":9,"d":false}`,
	`{"op":10}`, `{"op":10,"d":null}`, `{"op":10,"d":{}}`, `{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-1}}`, `{"op":10,"d":{"heartbeat_interval":"x"}}`,
	`{"op":10,"d":{"heartbeat_interval":1e300}}`, `{"op":10,"d":{"heartbeat_interval":9223372036854775807}}`, `{"op":10,"d":{"heartbeat_interval":0.0001}}`, `{"op":11}`, `{"op":11,"d":5}`,
	`{"op":0,"t":"X","d":` + strings.Repeat("[", 20_000) + `}`, strings.Repeat("9", 1000), "x\x9c\x00\x01\x02",
}
