# Receives the changes of a webhook. Needs Python 3.9 or later, the package standardwebhooks, and a proxy for https.
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

# The last delivery. Store it with your copy of the records, in one transaction.
last_id = None


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        global last_id
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            delivery = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            return self.answer(400)
        # A repeated delivery has the same id, and may be answered without being processed again.
        if self.headers["webhook-id"] != last_id:
            for change in delivery["changes"]:
                print(change["operation"], change["resource"], change["id"], flush=True)
        last_id = self.headers["webhook-id"]
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
