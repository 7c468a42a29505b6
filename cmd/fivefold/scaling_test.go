package main

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"maps"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"fivefold/bot/admin"
)

// The files that docs/scaling.md describes. They are checked as far as that goes without
// Docker or Kubernetes.
const (
	composeFile    = "../../compose.yaml"
	caddyFile      = "../../docs/operating/Caddyfile"
	kubernetesFile = "../../docs/operating/kubernetes.yaml"
	imageFile      = "../../Dockerfile"
)

// examples stand for what an operator enters.
var examples = map[string]string{
	"DISCORD_TOKEN": "token", "DISCORD_PUBLIC_KEY": strings.Repeat("0a", 32), "YOUR_PUBLIC_KEY": strings.Repeat("0a", 32), "PGPASSWORD": "password",
	"SITE_ADDRESS": "bot.example.org",
}

func mustRead(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ourImage is the name of the image with its release, without a registry.
const ourImage = "fivefold:"

// checkImage checks that an image is of one release.
func checkImage(t *testing.T, where, image string) {
	t.Helper()
	if !regexp.MustCompile(`^[a-z0-9./-]+:[0-9]+\.[0-9]+[a-z0-9.-]*(@sha256:[0-9a-f]{64})?$`).MatchString(image) {
		t.Errorf("%s: the image %s is not pinned to a release", where, image)
	}
	if name := path.Base(image); strings.HasPrefix(name, ourImage) && name != ourImage+version {
		t.Errorf("%s: the image is %s, but this is release %s", where, image, version)
	}
}

// checkSettings has the program read an environment, and returns what it made of it.
func checkSettings(t *testing.T, where string, of settingsOf, given map[string]string) (s settings) {
	t.Helper()
	t.Run(where, func(t *testing.T) {
		t.Chdir(t.TempDir()) // where there is no .env
		environment := map[string]string{}
		for name, value := range given {
			if !isSetting(name) {
				t.Errorf("there is no setting %s", name)
			}
			environment[name] = strings.Replace(value, "sslrootcert="+databaseAuthority, "sslrootcert="+writeCertificate(t), 1)
		}
		var err error
		if s, err = (&program{env: environment}).settings(of); err != nil {
			t.Error(err)
		}
		s.store = given[envStore] // with the files of the container
	})
	return s
}

// databaseAuthority is the file of the certificate that the database is known by.
const databaseAuthority = "/etc/fivefold/database/ca.crt"

// writeCertificate writes a certificate, and returns its file.
func writeCertificate(t *testing.T) string {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// checkCommand checks that a container runs a subcommand that exists.
func checkCommand(t *testing.T, where string, args []string) {
	t.Helper()
	c, rest, err := (&program{env: map[string]string{}}).commands().Find(args)
	if err != nil || !c.Runnable() || c.Name() != args[0] || len(rest) > 0 {
		t.Errorf("%s: fivefold %s: %v", where, strings.Join(args, " "), err)
	}
}

// checkPath checks that a running bot answers at a probe's path.
func checkPath(t *testing.T, where, path string) {
	t.Helper()
	fine := func(context.Context) error { return nil }
	wrong := func(context.Context) error { return errors.New("wrong") }
	for want, f := range map[int]func(context.Context) error{200: fine, 503: wrong} {
		w := httptest.NewRecorder()
		(&admin.Server{Alive: f, Ready: f}).Probes().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: %s is %d, want %d", where, path, w.Code, want)
		}
	}
}

// imageSetting returns the value that the image gives a setting, such as FIVEFOLD_ADMIN.
func imageSetting(t *testing.T, name string) string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^ENV .*\b` + name + `=(\S+)`).FindStringSubmatch(mustRead(t, imageFile))
	if match == nil {
		t.Fatalf("the image does not set %s", name)
	}
	return match[1]
}

// checkImageUser checks that the image runs as that user by default.
func checkImageUser(t *testing.T, user string) {
	t.Helper()
	if !strings.Contains(mustRead(t, imageFile), "\nUSER "+user+"\n") {
		t.Errorf("the image does not run as %s", user)
	}
}

// ourUser is the user that the bot runs as in containers.
const ourUser = "65532:65532"

// port returns the port of an address such as :8080.
func port(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Error(err)
	}
	return port
}

// service is a service of compose.yaml: what we use of compose-spec.io. Other fields are an
// error, so that misspelt ones are found.
type service struct {
	Image           string
	Build           string
	User            string
	Command         []string
	Environment     map[string]string
	Volumes         []string
	Tmpfs           []string
	Ports           []string
	ReadOnly        bool     `yaml:"read_only"`
	CapDrop         []string `yaml:"cap_drop"`
	CapAdd          []string `yaml:"cap_add"`
	SecurityOpt     []string `yaml:"security_opt"`
	ShmSize         string   `yaml:"shm_size"`
	Restart         string
	StopGracePeriod string `yaml:"stop_grace_period"`
	Logging         struct{ Driver string }
	Networks        []string
	DependsOn       map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck     struct {
		Test              []string
		Disable           bool
		Interval, Timeout string
		StartPeriod       string `yaml:"start_period"`
		StartInterval     string `yaml:"start_interval"`
		Retries           int
	}
}

// isOurs reports whether a service runs our image.
func (s service) isOurs() bool { return strings.HasPrefix(path.Base(s.Image), ourImage) }

// readCompose returns the services of compose.yaml with the examples entered, and the
// names of its volumes and networks.
func readCompose(t *testing.T) (services map[string]service, volumes, networks []string) {
	t.Helper()
	text := regexp.MustCompile(`\$\{(\w+):\?[^}]+\}`).ReplaceAllStringFunc(mustRead(t, composeFile), func(variable string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(variable, "${"), ":")
		if !strings.Contains(mustRead(t, "../../.env.example"), name+"=") {
			t.Errorf(".env.example does not have %s, which compose.yaml takes from .env", name)
		}
		return examples[name]
	})
	if strings.Contains(text, "${") {
		t.Error("a variable may be empty without an error")
	}
	var file struct {
		Unprivileged yaml.Node `yaml:"x-unprivileged"`
		Bot          yaml.Node `yaml:"x-bot"`
		Services     map[string]service
		Networks     map[string]struct{ Internal bool }
		Volumes      map[string]struct{}
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if !file.Networks["database"].Internal {
		t.Error("the database can be reached from outside")
	}
	return file.Services, slices.Collect(maps.Keys(file.Volumes)), slices.Collect(maps.Keys(file.Networks))
}

// bots returns the services that serve players, with their settings.
func bots(t *testing.T, services map[string]service) map[string]settings {
	t.Helper()
	all := map[string]settings{}
	for name, s := range services {
		if s.isOurs() && s.Command == nil { // the image's own, bot
			all[name] = checkSettings(t, name, ofBotToken, s.Environment)
		}
	}
	if len(all) != 2 {
		t.Fatalf("there are %d bots, want 2", len(all))
	}
	return all
}

// TestCompose: compose.yaml has no field that we do not know, nothing in it has privileges, and
// the bots, the migration and the database agree.
func TestCompose(t *testing.T) {
	services, volumes, networks := readCompose(t)
	checkImageUser(t, ourUser)
	for name, s := range services {
		checkImage(t, name, s.Image)
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
			t.Errorf("%s may do more than it needs", name)
		}
		if !s.isOurs() && (s.User == "" || strings.HasPrefix(s.User, "0") || strings.HasPrefix(s.User, "root")) {
			t.Errorf("%s runs as root", name)
		}
		if s.isOurs() && (s.User != "" || s.Build != ".") {
			t.Errorf("%s does not run the image of this folder as its own user", name)
		}
		if len(s.Healthcheck.Test) == 0 != s.Healthcheck.Disable {
			t.Errorf("nobody asks whether %s works", name)
		}
		for other, d := range s.DependsOn {
			o, there := services[other]
			switch {
			case !there:
				t.Errorf("%s waits for %s, which does not exist", name, other)
			case d.Condition == "service_healthy" && o.Healthcheck.Disable, d.Condition == "service_completed_successfully" && o.Restart != "on-failure":
				t.Errorf("%s waits in vain for %s", name, other)
			}
			if d.Condition == "service_healthy" && !slices.ContainsFunc(s.Networks, func(n string) bool { return slices.Contains(o.Networks, n) }) {
				t.Errorf("%s and %s share no network", name, other)
			}
		}
		for _, n := range s.Networks {
			if !slices.Contains(networks, n) {
				t.Errorf("%s: there is no network %s", name, n)
			}
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if strings.HasPrefix(from, "./") {
				mustRead(t, "../../"+from)
			} else if !slices.Contains(volumes, from) {
				t.Errorf("%s: there is no volume %s", name, from)
			}
		}
	}
	socket, err := admin.ParseAddress(imageSetting(t, envAdmin))
	if err != nil || !socket.IsSocket() {
		t.Fatal(socket, err)
	}
	var stores []string
	for name, s := range bots(t, services) {
		stores = append(stores, s.store)
		service := services[name]
		if len(service.Tmpfs) != 1 || !strings.HasPrefix(socket.String(), "unix:"+strings.Split(service.Tmpfs[0], ":")[0]+"/") {
			t.Errorf("%s cannot make its socket %s in %v", name, socket, service.Tmpfs)
		}
		if test := service.Healthcheck.Test; len(test) < 3 || test[0] != "CMD" || test[1] != "/fivefold" {
			t.Errorf("the bot is not asked itself whether it works: %q", test)
		} else {
			checkCommand(t, name, test[2:])
		}
		if service.DependsOn["migrate"].Condition != "service_completed_successfully" {
			t.Errorf("%s does not wait for the tables", name)
		}
	}
	migrate := services["migrate"]
	checkCommand(t, "migrate", migrate.Command)
	stores = append(stores, checkSettings(t, "migrate", ofGames, migrate.Environment).store)
	if slices.Sort(stores); stores[0] != stores[len(stores)-1] {
		t.Errorf("the stores are %q", stores)
	}
	at, err := url.Parse(stores[0])
	if err != nil {
		t.Fatal(err)
	}
	db := services["db"].Environment
	if at.Host != "db:5432" || at.User.Username() != db["POSTGRES_USER"] || at.Path != "/"+db["POSTGRES_DB"] || db["POSTGRES_PASSWORD"] != examples["PGPASSWORD"] {
		t.Errorf("the bots use %s, and the database is %v", at, db)
	}
	checkConnections(t, at, 2)
	if len(services["db"].Ports) > 0 || len(services["bot-1"].Ports) > 0 {
		t.Error("what the balancer hides has a public port")
	}
}

// checkConnections checks that so many bots have room at a database with PostgreSQL's default
// of max_connections, with some left for the operator.
func checkConnections(t *testing.T, store *url.URL, bots int) {
	t.Helper()
	each, err := strconv.Atoi(store.Query().Get("pool_max_conns"))
	if err != nil {
		t.Errorf("the number of connections goes by the processors of the machine: %v", err)
	}
	if bots*each > 90 {
		t.Errorf("%d bots have %d connections", bots, bots*each)
	}
}

// TestCaddyfile: the balancer leads to the bots of compose.yaml, at the path where they take
// interactions, and asks them what they answer.
func TestCaddyfile(t *testing.T) {
	services, _, _ := readCompose(t)
	text := regexp.MustCompile(`(?m)#.*$`).ReplaceAllString(mustRead(t, caddyFile), "")
	if open, closed := strings.Count(text, "{"), strings.Count(text, "}"); open != closed {
		t.Errorf("%d braces are opened and %d closed", open, closed)
	}
	// directive returns what follows the only directive of that name.
	directive := func(name string) string {
		t.Helper()
		found := regexp.MustCompile(`(?m)^\s*`+regexp.QuoteMeta(name)+`[ \t]+([^{\n]+?)[ \t]*\{?$`).FindAllStringSubmatch(text, -1)
		if len(found) != 1 {
			t.Fatalf("%s is there %d times", name, len(found))
		}
		return found[0][1]
	}
	var want []string
	for name, s := range bots(t, services) {
		want = append(want, net.JoinHostPort(name, port(t, s.http.address)))
		if got := directive("handle"); got != s.http.path {
			t.Errorf("it leads %s to %s, which takes interactions at %s", got, name, s.http.path)
		}
		if !slices.Contains(services[name].Networks, services["caddy"].Networks[0]) {
			t.Errorf("it cannot reach %s", name)
		}
		if services["caddy"].DependsOn[name].Condition != "service_healthy" {
			t.Errorf("it does not wait for %s", name)
		}
	}
	slices.Sort(want)
	if got := strings.Fields(directive("reverse_proxy")); !slices.Equal(got, want) {
		t.Errorf("it leads to %q, want %q", got, want)
	}
	checkPath(t, caddyFile, directive("health_uri"))
	times := map[string]time.Duration{}
	for _, name := range []string{"health_interval", "health_timeout", "response_header_timeout"} {
		d, err := time.ParseDuration(directive(name))
		if err != nil {
			t.Fatal(err)
		}
		times[name] = d
	}
	if times["health_timeout"] >= times["response_header_timeout"] { // which limits the probes, too
		t.Errorf("health_timeout has no effect: %v", times)
	}
	if left := probeDatabaseEvery + silence + times["health_interval"] + times["health_timeout"]; left > 12*time.Second {
		t.Errorf("a bot without a database is asked for %v", left)
	}
	caddy := services["caddy"]
	if !slices.Equal(caddy.Networks, []string{"front"}) {
		t.Errorf("its networks are %q: it must be reached from outside, and reach bots only", caddy.Networks)
	}
	ports := []string{"80:" + directive("http_port"), "443:" + directive("https_port")}
	if !slices.Equal(caddy.Ports, ports) {
		t.Errorf("its ports are %q, want %q", caddy.Ports, ports)
	}
	if !slices.Contains(caddy.Volumes, "./docs/operating/Caddyfile:/etc/caddy/Caddyfile:ro") {
		t.Error("it does not read the Caddyfile")
	}
	for _, match := range regexp.MustCompile(`\{\$(\w+)\}`).FindAllStringSubmatch(text, -1) {
		if caddy.Environment[match[1]] == "" {
			t.Errorf("%s is not in its environment", match[1])
		}
	}
}

// The parts of Kubernetes that we use; other fields are an error.
type (
	metadata struct {
		Name   string
		Labels map[string]string
	}
	selector struct {
		MatchLabels map[string]string `yaml:"matchLabels"`
	}
	probe struct {
		HTTPGet          struct{ Path, Port string } `yaml:"httpGet"`
		PeriodSeconds    int                         `yaml:"periodSeconds"`
		TimeoutSeconds   int                         `yaml:"timeoutSeconds"`
		FailureThreshold int                         `yaml:"failureThreshold"`
	}
	container struct {
		Name    string
		Image   string
		Args    []string
		EnvFrom []struct {
			ConfigMapRef struct{ Name string } `yaml:"configMapRef"`
		} `yaml:"envFrom"`
		Env []struct {
			Name      string
			ValueFrom struct {
				SecretKeyRef struct{ Name, Key string } `yaml:"secretKeyRef"`
			} `yaml:"valueFrom"`
		}
		Ports []struct {
			Name          string
			ContainerPort int `yaml:"containerPort"`
		}
		StartupProbe   *probe `yaml:"startupProbe"`
		LivenessProbe  *probe `yaml:"livenessProbe"`
		ReadinessProbe *probe `yaml:"readinessProbe"`
		Lifecycle      struct {
			PreStop struct{ Sleep struct{ Seconds int } } `yaml:"preStop"`
		}
		SecurityContext struct {
			ReadOnlyRootFilesystem   bool                    `yaml:"readOnlyRootFilesystem"`
			AllowPrivilegeEscalation *bool                   `yaml:"allowPrivilegeEscalation"`
			Capabilities             struct{ Drop []string } `yaml:"capabilities"`
		} `yaml:"securityContext"`
		Resources    struct{ Requests, Limits map[string]string }
		VolumeMounts []struct {
			Name      string
			MountPath string `yaml:"mountPath"`
			ReadOnly  bool   `yaml:"readOnly"`
		} `yaml:"volumeMounts"`
	}
	podTemplate struct {
		Metadata metadata
		Spec     struct {
			RestartPolicy                 string `yaml:"restartPolicy"`
			AutomountServiceAccountToken  *bool  `yaml:"automountServiceAccountToken"`
			TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
			SecurityContext               struct {
				RunAsNonRoot   bool                  `yaml:"runAsNonRoot"`
				RunAsUser      int                   `yaml:"runAsUser"`
				RunAsGroup     int                   `yaml:"runAsGroup"`
				FSGroup        int                   `yaml:"fsGroup"`
				SeccompProfile struct{ Type string } `yaml:"seccompProfile"`
			} `yaml:"securityContext"`
			TopologySpreadConstraints []struct {
				MaxSkew           int      `yaml:"maxSkew"`
				TopologyKey       string   `yaml:"topologyKey"`
				WhenUnsatisfiable string   `yaml:"whenUnsatisfiable"`
				LabelSelector     selector `yaml:"labelSelector"`
			} `yaml:"topologySpreadConstraints"`
			Containers []container
			Volumes    []struct {
				Name     string
				EmptyDir struct {
					Medium    string
					SizeLimit string `yaml:"sizeLimit"`
				} `yaml:"emptyDir"`
				Secret struct {
					SecretName string `yaml:"secretName"`
				}
			}
		}
	}
	typeMeta struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   metadata
	}
	configMap struct {
		typeMeta `yaml:",inline"`
		Data     map[string]string
	}
	job struct {
		typeMeta `yaml:",inline"`
		Spec     struct {
			BackoffLimit            int `yaml:"backoffLimit"`
			TTLSecondsAfterFinished int `yaml:"ttlSecondsAfterFinished"`
			Template                podTemplate
		}
	}
	deployment struct {
		typeMeta `yaml:",inline"`
		Spec     struct {
			Selector selector
			Strategy struct {
				RollingUpdate struct {
					MaxUnavailable int `yaml:"maxUnavailable"`
					MaxSurge       int `yaml:"maxSurge"`
				} `yaml:"rollingUpdate"`
			}
			Template podTemplate
		}
	}
	k8sService struct {
		typeMeta `yaml:",inline"`
		Spec     struct {
			Selector map[string]string
			Ports    []struct {
				Name       string
				Port       int
				TargetPort string `yaml:"targetPort"`
			}
		}
	}
	ingress struct {
		typeMeta `yaml:",inline"`
		Spec     struct {
			TLS []struct {
				Hosts      []string
				SecretName string `yaml:"secretName"`
			}
			Rules []struct {
				Host string
				HTTP struct {
					Paths []struct {
						Path     string
						PathType string `yaml:"pathType"`
						Backend  struct {
							Service struct {
								Name string
								Port struct{ Name string }
							}
						}
					}
				}
			}
		}
	}
	disruptionBudget struct {
		typeMeta `yaml:",inline"`
		Spec     struct {
			MaxUnavailable int `yaml:"maxUnavailable"`
			Selector       selector
		}
	}
	autoscaler struct {
		typeMeta `yaml:",inline"`
		Spec     struct {
			ScaleTargetRef struct {
				APIVersion string `yaml:"apiVersion"`
				Kind, Name string
			} `yaml:"scaleTargetRef"`
			MinReplicas int `yaml:"minReplicas"`
			MaxReplicas int `yaml:"maxReplicas"`
			Metrics     []struct {
				Type     string
				Resource struct {
					Name   string
					Target struct {
						Type               string
						AverageUtilization int `yaml:"averageUtilization"`
					}
				}
			}
			Behavior struct {
				ScaleDown struct {
					StabilizationWindowSeconds int `yaml:"stabilizationWindowSeconds"`
				} `yaml:"scaleDown"`
			}
		}
	}
)

// kubernetes is what is in kubernetes.yaml.
type kubernetes struct {
	config  configMap
	migrate job
	bots    deployment
	service k8sService
	ingress ingress
	budget  disruptionBudget
	scaler  autoscaler
}

func readKubernetes(t *testing.T) *kubernetes {
	t.Helper()
	k := &kubernetes{}
	into := map[string]any{
		"v1 ConfigMap": &k.config, "batch/v1 Job": &k.migrate, "apps/v1 Deployment": &k.bots, "v1 Service": &k.service,
		"networking.k8s.io/v1 Ingress": &k.ingress, "policy/v1 PodDisruptionBudget": &k.budget, "autoscaling/v2 HorizontalPodAutoscaler": &k.scaler,
	}
	text := mustRead(t, kubernetesFile)
	if kind := "kind: Secret\n"; strings.Contains(text, kind) {
		t.Error("it has a place for the values of secrets")
	}
	for part := range strings.SplitSeq(text, "\n---\n") {
		var head struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
		}
		if err := yaml.Unmarshal([]byte(part), &head); err != nil {
			t.Fatal(err)
		}
		kind := head.APIVersion + " " + head.Kind
		to, ok := into[kind]
		if !ok {
			t.Fatalf("there is a second %s, or none is expected", kind)
		}
		delete(into, kind)
		decoder := yaml.NewDecoder(strings.NewReader(part))
		decoder.KnownFields(true)
		if err := decoder.Decode(to); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if err := decoder.Decode(new(any)); err != io.EOF {
			t.Errorf("%s: more follows: %v", kind, err)
		}
	}
	for kind := range into {
		t.Errorf("there is no %s", kind)
	}
	return k
}

// checkPod checks a pod with one container, and returns its settings.
func (k *kubernetes) checkPod(t *testing.T, where string, p podTemplate, of settingsOf) settings {
	t.Helper()
	c := p.Spec.Containers[0]
	checkImage(t, where, c.Image)
	checkCommand(t, where, c.Args)
	user, group, _ := strings.Cut(ourUser, ":")
	s := p.Spec.SecurityContext
	if !s.RunAsNonRoot || strconv.Itoa(s.RunAsUser) != user || strconv.Itoa(s.RunAsGroup) != group || strconv.Itoa(s.FSGroup) != group ||
		s.SeccompProfile.Type != "RuntimeDefault" || p.Spec.AutomountServiceAccountToken == nil || *p.Spec.AutomountServiceAccountToken {
		t.Errorf("%s: the pod may do more than it needs", where)
	}
	if s := c.SecurityContext; !s.ReadOnlyRootFilesystem || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("%s: the container may do more than it needs", where)
	}
	if c.Resources.Requests["cpu"] == "" || c.Resources.Requests["memory"] == "" || c.Resources.Limits["memory"] == "" {
		t.Errorf("%s: its resources are %v", where, c.Resources)
	}
	environment := map[string]string{}
	for _, from := range c.EnvFrom {
		if from.ConfigMapRef.Name != k.config.Metadata.Name {
			t.Errorf("%s: there is no ConfigMap %s", where, from.ConfigMapRef.Name)
		}
		for name, value := range k.config.Data {
			if example, ok := examples[value]; ok {
				value = example
			}
			environment[name] = value
		}
	}
	for _, e := range c.Env {
		if secret := e.ValueFrom.SecretKeyRef; secret.Name != "fivefold" || secret.Key != e.Name {
			t.Errorf("%s: %s is %s of the secret %s", where, e.Name, secret.Key, secret.Name)
		}
		environment[e.Name] = examples[e.Name]
	}
	for name := range k.config.Data {
		if name == envToken || name == envPassword {
			t.Errorf("%s is no secret", name)
		}
	}
	if len(p.Spec.Volumes) != len(c.VolumeMounts) {
		t.Errorf("%s: there are %d volumes and %d mounts", where, len(p.Spec.Volumes), len(c.VolumeMounts))
	}
	set := checkSettings(t, where, of, environment)
	at, err := url.Parse(set.store)
	if err != nil {
		t.Fatal(err)
	}
	certificate := at.Query().Get("sslrootcert")
	for i, mount := range c.VolumeMounts {
		v := p.Spec.Volumes[i]
		switch {
		case v.Name != mount.Name:
			t.Errorf("%s: there is no volume %s", where, mount.Name)
		case v.Secret.SecretName == "fivefold-database" && path.Dir(certificate) == mount.MountPath && mount.ReadOnly:
		case v.EmptyDir.Medium == "Memory" && strings.HasPrefix(imageSetting(t, envAdmin), "unix:"+mount.MountPath+"/") && !mount.ReadOnly:
		default:
			t.Errorf("%s: what is the volume %s at %s for?", where, v.Name, mount.MountPath)
		}
	}
	if certificate == "" || at.Query().Get("sslmode") != "verify-full" || at.User.Username() == "" {
		t.Errorf("%s: anybody can pose as the database %s", where, at)
	}
	if _, inURL := at.User.Password(); inURL {
		t.Errorf("%s: the password is no secret", where)
	}
	return set
}

// TestKubernetes: kubernetes.yaml has no field that we do not know, its parts find each other,
// nothing in it has privileges or values of secrets, and settings, paths and ports are those of
// the program.
func TestKubernetes(t *testing.T) {
	k := readKubernetes(t)
	checkImageUser(t, ourUser)
	migrating := k.checkPod(t, "Job", k.migrate.Spec.Template, ofGames)
	pod := k.bots.Spec.Template
	s := k.checkPod(t, "Deployment", pod, ofBotToken)
	c := pod.Spec.Containers[0]
	if migrating.store != s.store || k.migrate.Spec.Template.Spec.Containers[0].Image != c.Image {
		t.Error("the tables are made by another release, or in another database")
	}
	if k.migrate.Spec.Template.Spec.Containers[0].Args[0] != "migrate" || c.Args[0] != "bot" {
		t.Error("the wrong commands run")
	}

	if len(c.Ports) != 1 || strconv.Itoa(c.Ports[0].ContainerPort) != port(t, s.http.address) {
		t.Errorf("the port is %v, and the bot listens on %s", c.Ports, s.http.address)
	}
	named := c.Ports[0].Name
	for name, p := range map[string]*probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if p == nil || p.HTTPGet.Path != name {
			t.Fatalf("%s is not asked for: %v", name, p)
		}
	}
	for _, p := range []*probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
		checkPath(t, "a probe", p.HTTPGet.Path)
		if p.HTTPGet.Port != named || p.TimeoutSeconds > p.PeriodSeconds {
			t.Errorf("a probe at %s waits longer than until the next, or asks elsewhere: %v", p.HTTPGet.Path, *p)
		}
	}
	if start := time.Duration(c.StartupProbe.PeriodSeconds*c.StartupProbe.FailureThreshold) * time.Second; start < awayTime+time.Minute/2 {
		t.Errorf("a start may take %v, and a bot waits %v for its database", start, awayTime)
	}
	asked := time.Duration(c.ReadinessProbe.PeriodSeconds*c.ReadinessProbe.FailureThreshold) * time.Second
	if left := probeDatabaseEvery + silence + asked; left > 12*time.Second || c.ReadinessProbe.FailureThreshold < 2 {
		t.Errorf("a bot without a database is asked for %v, or one lost probe is enough", left)
	}
	if rest := pod.Spec.TerminationGracePeriodSeconds - c.Lifecycle.PreStop.Sleep.Seconds; rest < 30 || c.Lifecycle.PreStop.Sleep.Seconds == 0 {
		t.Errorf("the bot has %d s to finish", rest)
	}

	for _, line := range regexp.MustCompile(`kubectl (?:wait|rollout status) .*`).FindAllString(mustRead(t, "../../docs/scaling.md"), -1) {
		if !strings.Contains(line, " --timeout=") {
			t.Errorf("%q may wait too long, or too short", line)
		}
	}

	labels := pod.Metadata.Labels
	for what, l := range map[string]map[string]string{
		"Deployment": k.bots.Spec.Selector.MatchLabels, "Service": k.service.Spec.Selector, "PodDisruptionBudget": k.budget.Spec.Selector.MatchLabels,
		"topologySpreadConstraints": pod.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	} {
		if !maps.Equal(l, labels) || len(l) == 0 {
			t.Errorf("%s selects %v, and the pods have %v", what, l, labels)
		}
	}
	if maps.Equal(k.migrate.Spec.Template.Metadata.Labels, labels) {
		t.Error("the service leads to the migration")
	}
	service := k.service.Spec.Ports[0]
	if service.TargetPort != named {
		t.Errorf("the service leads to %s", service.TargetPort)
	}
	for _, rule := range k.ingress.Spec.Rules {
		for _, p := range rule.HTTP.Paths {
			to := p.Backend.Service
			if p.Path != s.http.path || p.PathType != "Exact" || to.Name != k.service.Metadata.Name || to.Port.Name != service.Name {
				t.Errorf("the ingress leads %+v", p)
			}
		}
		if !slices.Contains(k.ingress.Spec.TLS[0].Hosts, rule.Host) {
			t.Errorf("%s has no certificate", rule.Host)
		}
	}
	if len(k.ingress.Spec.Rules) != 1 || len(k.ingress.Spec.Rules[0].HTTP.Paths) != 1 {
		t.Error("the ingress does not lead to one path")
	}

	scaler := k.scaler.Spec
	if to := scaler.ScaleTargetRef; to.Kind != k.bots.Kind || to.Name != k.bots.Metadata.Name || to.APIVersion != k.bots.APIVersion {
		t.Errorf("%v is scaled", to)
	}
	if scaler.MinReplicas <= k.budget.Spec.MaxUnavailable || scaler.MaxReplicas < scaler.MinReplicas || len(scaler.Metrics) != 1 {
		t.Errorf("of %d to %d bots, %d may be missing", scaler.MinReplicas, scaler.MaxReplicas, k.budget.Spec.MaxUnavailable)
	}
	at, err := url.Parse(s.store)
	if err != nil {
		t.Fatal(err)
	}
	checkConnections(t, at, scaler.MaxReplicas+k.bots.Spec.Strategy.RollingUpdate.MaxSurge)
}
