"""The part of Gateway API 1.5 that config/ uses, as schemas of our own: nothing that CI reaches publishes them."""

NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
HOST = {"type": "string", "pattern": r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"}
PORT = {"type": "integer", "minimum": 1, "maximum": 65_535}


def strict(required, **properties):
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


def some(items, **bounds):
    return {"type": "array", "minItems": 1, "items": items, **bounds}


def kind(name, spec):
    metadata = strict(["name"], name=NAME, namespace=NAME)
    return strict(["apiVersion", "kind", "metadata", "spec"], apiVersion={"const": "gateway.networking.k8s.io/v1"},
                  kind={"const": name}, metadata=metadata, spec=spec)


TLS = strict(["mode"], mode={"const": "Passthrough"})
ROUTES = strict([], kinds=some(strict(["kind"], kind={"enum": ["TLSRoute", "HTTPRoute"]})))
LISTENER = {
    **strict(["name", "port", "protocol"], name=NAME, port=PORT, protocol={"enum": ["TLS", "HTTP"]}, tls=TLS,
             allowedRoutes=ROUTES),
    "if": {"properties": {"protocol": {"const": "TLS"}}}, "then": {"required": ["tls"]}, "else": {"not": {"required": ["tls"]}},
}
PARENTS = some(strict(["name"], name=NAME, sectionName=NAME))
RULES = some(strict(["backendRefs"], backendRefs=some(strict(["name", "port"], name=NAME, port=PORT))))
SCHEMAS = {
    "Gateway": kind("Gateway", strict(["gatewayClassName", "listeners"], gatewayClassName=NAME, listeners=some(LISTENER))),
    # One rule and at least one name, as the API says.
    "TLSRoute": kind("TLSRoute", strict(["hostnames", "rules"], parentRefs=PARENTS, hostnames=some(HOST, maxItems=16),
                                        rules={**RULES, "maxItems": 1})),
    "HTTPRoute": kind("HTTPRoute", strict(["rules"], parentRefs=PARENTS, hostnames=some(HOST, maxItems=16), rules=RULES)),
}
