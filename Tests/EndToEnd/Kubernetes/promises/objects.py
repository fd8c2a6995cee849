"""What the objects say, by Kubernetes' own schemas and among each other."""
import copy
import json
import re

import jsonschema
import kubernetes_validate

import gateway
import manifests
from harness.promises import Group, equal, holds
from harness.world import shop

# The oldest that still had support when this was written, and the newest that there are schemas of.
VERSIONS = {"Kubernetes 1.34": "1.34", "Kubernetes 1.37": "1.37"}
CONTAINER = "/etc/bridgehost/"


def setup():
    folder = shop().folder / "gateway"
    yield manifests.rendered(), manifests.rendered(manifests.overlay(folder, components=["kubernetes/gateway"]))


group = Group("Kubernetes objects", setup)


def strict(document, version="1.37"):
    kubernetes_validate.validate(document, version, strict=True)


def refused(document):
    try:
        strict(document)
    except kubernetes_validate.ValidationError:
        return True
    return False


@group.each("every object is valid by the schemas of {}, none has an unknown field", VERSIONS)
def _(clusters, version):
    for document in clusters[0].documents:
        strict(document, version)


@group.promise("with a Gateway too: TLS passes through, and the Service has no address of its own")
def _(clusters):
    _, cluster = clusters
    for document in cluster.documents:
        if document["kind"] in gateway.SCHEMAS:
            jsonschema.Draft202012Validator(gateway.SCHEMAS[document["kind"]]).validate(document)
        else:
            strict(document)
    equal(sorted(set(gateway.SCHEMAS) & {one["kind"] for one in cluster.documents}), sorted(gateway.SCHEMAS))
    service = cluster.one("Service", "bridgehost")
    equal((service["spec"]["type"], service["spec"].get("externalTrafficPolicy")), ("ClusterIP", None))
    served = {port["port"] for port in service["spec"]["ports"]}
    listeners = {one["name"] for one in cluster.one("Gateway")["spec"]["listeners"]}
    for route in (*cluster.all("TLSRoute"), *cluster.all("HTTPRoute")):
        for parent in route["spec"]["parentRefs"]:
            holds(parent["sectionName"] in listeners, f"no listener {parent['sectionName']}")
        for backend in (one for rule in route["spec"]["rules"] for one in rule["backendRefs"]):
            equal(backend["name"], "bridgehost")
            holds(backend["port"] in served, f"the Service has no port {backend['port']}")


def misspelled(document):
    document["spec"]["template"]["spec"]["automountServiceAccountTokens"] = False


def wrong_type(document):
    document["spec"]["replicas"] = "three"


def misplaced(document):
    document["spec"]["template"]["spec"]["containers"][0]["runAsNonRoot"] = True


@group.each("{} would be found",
            {"a misspelled field": misspelled, "a wrong type": wrong_type, "a field in the wrong place": misplaced})
def _(clusters, change):
    document = copy.deepcopy(clusters[0].one("Deployment"))
    holds(not refused(document), "as it is, it is valid")
    change(document)
    holds(refused(document), "changed, it is not")


@group.promise("every selector selects our pods")
def _(clusters):
    cluster, _ = clusters
    labels = cluster.pod()["metadata"]["labels"].items()
    spread = cluster.pod()["spec"]["topologySpreadConstraints"]
    selectors = [one["spec"]["selector"] for one in cluster.all("Service")]
    selectors += [cluster.one(kind)["spec"]["selector"]["matchLabels"] for kind in ("Deployment", "PodDisruptionBudget")]
    selectors.append(cluster.one("NetworkPolicy")["spec"]["podSelector"]["matchLabels"])
    selectors += [one["labelSelector"]["matchLabels"] for one in spread]
    equal(len(selectors), 7)
    for selector in selectors:
        holds(selector and selector.items() <= labels, f"{selector} is not among {dict(labels)}")


@group.promise("ports have one name each from the listeners to the Services")
def _(clusters):
    cluster, _ = clusters
    settings = json.loads((manifests.CONFIG / "server.json").read_text())
    listening = [one["port"] for one in (*settings["listeners"], settings["admin"])]
    ports = {one["name"]: one["containerPort"] for one in cluster.container()["ports"]}
    equal(sorted(ports.values()), sorted(listening))
    equal([ports["https"], ports["http"]], [one["port"] for one in settings["listeners"]])
    targets = [one["targetPort"] for service in cluster.all("Service") for one in service["spec"]["ports"]]
    equal(sorted(targets), sorted(ports))
    exposed = re.search(r"^EXPOSE (.*)$", (manifests.CHECKOUT / "Dockerfile").read_text(), re.M)[1]
    equal(exposed.split(), [str(ports["https"]), str(ports["http"])])


@group.promise("the admin port is open to the monitoring namespace alone, and the pods ask nobody")
def _(clusters):
    policy = clusters[0].one("NetworkPolicy")["spec"]
    equal((policy["policyTypes"], policy["egress"]), (["Ingress", "Egress"], []))
    for rule in policy["ingress"]:
        names = {one["port"] for one in rule["ports"]}
        holds(("admin" in names) == ("from" in rule), f"{names} from {rule.get('from', 'anywhere')}")
    balanced = {one["targetPort"] for one in clusters[0].one("Service", "bridgehost")["spec"]["ports"]}
    holds("admin" not in balanced, "the Service for clients has no admin port")


@group.promise("files that the settings name lie in folders that are mounted")
def _(clusters):
    cluster, _ = clusters
    mounted = {one["mountPath"] for one in cluster.container()["volumeMounts"]}
    named = [value for value in cluster.environment().values() if value.startswith(CONTAINER)]
    equal(len(named), 2)
    for path in named:
        holds(path.rpartition("/")[0] in mounted, f"{path} is in none of {mounted}")
    equal({one["name"] for one in cluster.pod()["spec"]["volumes"]},
          {one["name"] for one in cluster.container()["volumeMounts"]})


@group.promise("a pod has longer to end than the service takes at most")
def _(clusters):
    cluster, _ = clusters
    settings = cluster.environment()
    delay, drain = (int(settings[f"BRIDGEHOST_TIMEOUTS_DRAIN_{name}SECONDS"]) for name in ("DELAY_", ""))
    # The process allows itself one second more than that.
    holds(cluster.pod()["spec"]["terminationGracePeriodSeconds"] > delay + drain + 5, "the grace period is too short")


@group.promise("a rollout takes no replica away before another is ready, and a drain one at a time")
def _(clusters):
    cluster, _ = clusters
    deployment = cluster.one("Deployment")["spec"]
    equal((deployment["replicas"], deployment["strategy"]["rollingUpdate"]["maxUnavailable"]), (3, 0))
    equal(cluster.one("PodDisruptionBudget")["spec"]["maxUnavailable"], 1)


@group.promise("the pod has no right that the restricted profile of Pod Security denies")
def _(clusters):
    cluster, _ = clusters
    pod, container = cluster.pod()["spec"]["securityContext"], cluster.container()["securityContext"]
    equal((pod["runAsNonRoot"], pod["runAsUser"], pod["seccompProfile"]), (True, 10001, {"type": "RuntimeDefault"}))
    equal(container, {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
    equal(cluster.pod()["spec"]["automountServiceAccountToken"], False)
    kinds = {kind for volume in cluster.pod()["spec"]["volumes"] for kind in volume if kind != "name"}
    equal(kinds, {"projected", "secret"})
    equal(cluster.one("Namespace")["metadata"]["labels"]["pod-security.kubernetes.io/enforce"], "restricted")


@group.promise("what is changed has another name, so that a change is a rollout and can be undone")
def _(clusters):
    cluster, changed = clusters[0], shop().folder / "changed"
    manifests.overlay(changed)
    (changed / "kubernetes/settings.env").write_text("BRIDGEHOST_WORKERS=1\n")
    (changed / "tenants/demo.json").write_text("{}")
    before, after = ({one["metadata"]["name"] for one in some.all("ConfigMap")}
                     for some in (cluster, manifests.rendered(changed)))
    equal((len(before), len(after), before & after), (2, 2, set()))
    holds(all(one["immutable"] for one in cluster.all("ConfigMap")), "and none is changed in place")
