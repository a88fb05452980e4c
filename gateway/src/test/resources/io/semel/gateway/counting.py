# A service that knows nothing of keys: every POST is an effect, one line in the ledger.
import sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ledger = open(sys.argv[1], "a", buffering=1)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        ledger.write(body.decode() + "\n")
        time.sleep(0.01)
        answer = b"paid " + body
        self.send_response(201)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 256


server = Server(("127.0.0.1", 0), Handler)
print("port", server.server_address[1], flush=True)
server.serve_forever()
