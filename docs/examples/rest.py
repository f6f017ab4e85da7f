# Reads all members, creates a prayer request safely, and follows the changes. Needs only Python 3.9 or later.
import json, os, time, urllib.error, urllib.parse, urllib.request, uuid

URL = os.environ.get("API_URL", "http://127.0.0.1:4000") + "/v1"


def call(method, path, body=None, attempts=5, **query):
    headers = {"X-Api-Key": os.environ["API_KEY"], "Content-Type": "application/json"}
    if method != "GET":
        headers["Idempotency-Key"] = str(uuid.uuid4())  # The same for all attempts: the write happens once.
    request = urllib.request.Request(f"{URL}{path}?{urllib.parse.urlencode(query)}", method=method, headers=headers,
                                     data=None if body is None else json.dumps(body).encode())
    for attempt in range(1, attempts + 1):
        try:
            return json.load(urllib.request.urlopen(request, timeout=60))
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 503) or attempt == attempts:
                raise SystemExit(f"{error.code}: {json.load(error)['error']['message']}")
            time.sleep(int(error.headers.get("Retry-After", attempt)))
        except OSError:
            if attempt == attempts:
                raise
            time.sleep(attempt)


def pages(path, cursor="", **query):
    has_more = True
    while has_more:
        page = call("GET", path, cursor=cursor, **query)
        cursor, has_more = page["pagination"]["next_cursor"], page["pagination"]["has_more"]
        yield page["data"], cursor


print(sum(len(members) for members, _ in pages("/members", limit=100)), "members")
print("created:", call("POST", "/prayer-requests", {"description": "Rain for the fields"})["data"]["status"])
cursor = ""  # Store it: the next run continues from it.
while True:
    for changes, cursor in pages("/changes", cursor, limit=100, wait=20):
        for change in changes:
            print(change["operation"], change["resource"], change["id"], flush=True)
