#!/usr/bin/env bash
# The gateway's throughput beside nginx as a proxy of the same upstream, in interleaved rounds of one run: medians and ratios.
# Needs nginx and wrk on the path (Debian's packages have both). Arguments: rounds (5) and seconds of each (4).
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rounds=${1:-5}
seconds=${2:-4}
connections=${CONNECTIONS:-64}
for tool in nginx wrk; do
  command -v "$tool" >/dev/null || { echo "gateway.sh: $tool is needed, and is not on the PATH." >&2; exit 1; }
done

work=$(mktemp -d)
started=()
stop() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap stop EXIT

answer='{"id":"pay_0123456789","status":"succeeded","amount":1999,"currency":"EUR","description":"'$(printf 'x%.0s' {1..110})'"}'
serve() { # name, workers, what its server does
  mkdir -p "$work/$1"
  cat > "$work/$1/nginx.conf" <<CONF
worker_processes $2; pid $work/$1/pid; error_log $work/$1/error.log; daemon off;
events { worker_connections 8192; }
http { access_log off; keepalive_requests 100000000; client_body_temp_path $work/$1; proxy_temp_path $work/$1; fastcgi_temp_path $work/$1;
uwsgi_temp_path $work/$1; scgi_temp_path $work/$1; $3 }
CONF
  nginx -p "$work/$1" -c "$work/$1/nginx.conf" 2>/dev/null &
  started+=($!)
}
serve upstream 1 "server { listen 127.0.0.1:19000 backlog=4096; location / { default_type application/json; return 200 '$answer'; } }"
serve proxy 2 "upstream u { server 127.0.0.1:19000; keepalive 256; keepalive_requests 100000000; }
server { listen 127.0.0.1:19001 backlog=4096; location / { proxy_pass http://u; proxy_http_version 1.1; proxy_set_header Connection '';
proxy_set_header Host \$host; proxy_set_header X-Forwarded-For \$remote_addr; } }"

gateway() { # port, store
  "$home/semel" gateway --upstream http://127.0.0.1:19000 --listen "127.0.0.1:$1" --admin "127.0.0.1:$(($1 + 10))" --store "$2" \
    --audit "$work/audit-$1" > "$work/gateway-$1.log" 2>&1 &
  started+=($!)
  for _ in {1..600}; do
    curl -sf "http://127.0.0.1:$(($1 + 10))/health" >/dev/null 2>&1 && return
    sleep 0.1
  done
  cat "$work/gateway-$1.log" >&2
  exit 1
}
"$home/semel" --version >/dev/null
gateway 19002 memory:
gateway 19003 "rocksdb:$work/rocks"

body="wrk.method = 'POST'; wrk.headers['Content-Type'] = 'application/json'
wrk.body = '{\"amount\":1999,\"currency\":\"EUR\",\"source\":\"card_123\",\"description\":\"' .. string.rep('x', 110) .. '\"}'"
echo "$body" > "$work/none.lua"
cat > "$work/fresh.lua" <<LUA
$body
local n, own = 0, tostring({}):gsub('%W', '') .. os.time() .. os.tmpname():gsub('%W', '') .. '-'
function request() n = n + 1; wrk.headers['Idempotency-Key'] = own .. n; return wrk.format() end
LUA
cat > "$work/again.lua" <<LUA
$body
wrk.headers['Idempotency-Key'] = 'always-the-same'
LUA

rate() { # port, script, seconds
  local out
  out=$(wrk -t2 -c"$connections" -d"$3s" -s "$work/$2.lua" "http://127.0.0.1:$1/")
  if grep -q 'Non-2xx' <<< "$out"; then
    echo "gateway.sh: some requests were refused on port $1: $(grep 'Non-2xx' <<< "$out")" >&2
  fi
  awk '/Requests\/sec/ { print int($2) }' <<< "$out"
}
names=(upstream nginx bare memory rocksdb memory-replay rocksdb-replay)
ports=(19000 19001 19002 19002 19003 19002 19003)
scripts=(none none none fresh fresh again again)
for i in "${!names[@]}"; do rate "${ports[i]}" "${scripts[i]}" 6 >/dev/null; done
for ((round = 1; round <= rounds; round++)); do
  for i in "${!names[@]}"; do
    rate "${ports[i]}" "${scripts[i]}" "$seconds" >> "$work/${names[i]}.rates"
  done
  echo "round $round of $rounds" >&2
done

median() { sort -n "$work/$1.rates" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { printf "%.2f of %s", a / b, "'"$2"'" }'; }
printf '%-16s %8s\n' "$connections clients" a\ second
for name in "${names[@]}"; do printf '%-16s %8d\n' "$name" "$(median "$name")"; done
printf '%s\n' "nginx $(ratio nginx upstream)" "bare $(ratio bare nginx)" "memory $(ratio memory bare)" "rocksdb $(ratio rocksdb bare)" \
  "memory-replay $(ratio memory-replay upstream)" "rocksdb-replay $(ratio rocksdb-replay upstream)"
