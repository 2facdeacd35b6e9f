"""A FormPilot client: it sends the form with every message, draws the one widget it is told, and runs the tools."""

import http.cookiejar, json, pathlib, sys, urllib.request

browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
form = pathlib.Path(__file__).with_suffix(".md").read_text()
guides = {"Blue": [{"code": "g7", "name": {"english": "Ada", "arabic": "آدا"}}], "Red": []}
tools = {"get_guides": lambda args: guides[args["busName"].title()]}
typed = {"name": "Grace", "bus": "Blue", "meals": "Bread, Fish", "day": "2027-03-01", "meeting": "2027-03-01T09:30",
         "start": "24.7136, 46.6753", "guide": "Ada"}
state, seen = {"conversation_id": None}, []


def turn(**sent):
    body = json.dumps({"form_context_md": form, "conversation_id": state["conversation_id"], **sent}).encode()
    request = urllib.request.Request(sys.argv[1] + "api/chat", body, {"Content-Type": "application/json"})
    with browser.open(request) as response:
        state.update(json.load(response))
    seen.append(state["action"]["action"])
    return state["action"]


action = turn(user_message="")
while action["action"] != "FORM_COMPLETE":
    assert len(seen) < 20, state
    if action["action"] == "TOOL_CALL":
        result = tools[action["tool_name"]](action["tool_args"])
        action = turn(tool_results=[{"tool_name": action["tool_name"], "result": result}])
    elif action["action"] == "MESSAGE":  # the review
        action = turn(user_message="yes")
    else:
        answer = typed[action["field_id"]]
        assert all(part in action.get("options", [part]) for part in (answer.split(", ") if "options" in action else [])), action
        action = turn(user_message=answer)
print(" ".join(seen), json.dumps({key: action["data"][key] for key in ("bus", "meals", "day", "guide")}))
