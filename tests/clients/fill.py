"""A form-filler client: it keeps the form, sends it with every message, and puts into it what it is told."""

import http.cookiejar, json, sys, urllib.request

browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
field = lambda data_id, label, **more: {"data_id": data_id, "fieldLabel": label, "is_required": True, **more}
uses = [{"key": "irr-1", "value": "Irrigation"}, {"key": "drk-2", "value": "Drinking water"}]
pages = [
    [field("owner", "Owner", fieldType="input"), field("parcel", "Parcel", fieldType="input")],
    [field("use", "Use", fieldType="select", options=uses), field("wells", "Wells", fieldType="radio", options=["Yes", "No"])],
]
state = {}  # the nine variables


def say(message, page):
    state.update(user_message=message, form_fields=page)
    body = json.dumps(state).encode()
    request = urllib.request.Request(sys.argv[1] + "api/fill", body, {"Content-Type": "application/json"})
    with browser.open(request) as response:
        state.update(json.load(response))
    for filled in state["filled_fields"]:
        next(field for field in page if field["data_id"] == filled["data_id"])["fieldValue"] = filled["fieldValue"]
    state["filled_fields"] = []
    return state["status"], {field["data_id"]: field["fieldValue"] for field in page if "fieldValue" in field}


def expect(said, status, values):
    assert said == (status, values), (said, state["response_message"])


expect(say("owner: Ada Lovelace", pages[0]), "awaiting_info", {"owner": "Ada Lovelace"})
expect(say("change the owner to Grace Hopper", pages[0]), "awaiting_info", {"owner": "Grace Hopper"})
expect(say("parcel: 123-456", pages[0]), "completed", {"owner": "Grace Hopper", "parcel": "123-456"})
expect(say("my card is 4111 1111 1111 1111", pages[1]), "awaiting_info", {})
assert "4111" not in json.dumps(state) and state["current_field"]["data_id"] == "use", state
expect(say("mark the rest as no", pages[1]), "awaiting_info", {"wells": "No"})
expect(say("irrigation", pages[1]), "completed", {"use": "irr-1", "wells": "No"})
expect(say("", pages[0]), "completed", {"owner": "Grace Hopper", "parcel": "123-456"})
pages[0][1]["fieldValue"] = ""  # emptied by hand
expect(say("", pages[0]), "awaiting_info", {"owner": "Grace Hopper", "parcel": ""})
print("filled in")
