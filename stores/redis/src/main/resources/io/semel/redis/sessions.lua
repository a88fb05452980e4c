-- Answers requests about sessions and about the registry of sessions, one per key, each with three arguments, in their order.
-- What is stored is described in docs/formats/redis.md; the rules are those of io.semel.session.Ruling.
-- Positions within a request: 1 state, 2 abandoned, 3 fence, 11 till, 19 print, 35 holder or result.

local MINUTE, DAY = 60000000, 86400000000
local MAGIC = '\193S\1'

local spread = unpack
local byte, sub, pack, unpack = string.byte, string.sub, struct.pack, struct.unpack
local call, pcall, max = redis.call, redis.pcall, math.max
local time = call('TIME')
local now = time[1] * 1000000 + time[2]

local function digits(number)
  return string.format('%.0f', number)
end

local function row_of(s)
  return pack('>c3c1c1I4I8I8I8I8I8I8I4', MAGIC, s.state, s.mode, s.window, s.lease, s.mark, s.done, s.fences, s.till,
    s.kept, #s.running / 8) .. s.running .. s.name
end

-- What is known of a session, and of one of its requests; nothing, and perhaps why.
local function read(key, field)
  local found = pcall('HMGET', key, 's', field or 's')
  if found.err then
    return nil, '-' .. found.err
  end
  local row = found[1]
  if not row then
    return nil, call('EXISTS', key) == 1 and '-FOREIGN' or nil
  end
  if #row < 65 or sub(row, 1, 3) ~= MAGIC then
    return nil, '-FOREIGN'
  end
  local s, running = {}, 0
  s.state, s.mode, s.window, s.lease, s.mark, s.done, s.fences, s.till, s.kept, running =
    unpack('>c1c1I4I8I8I8I8I8I8I4', row, 4)
  s.running, s.name = sub(row, 62, 61 + 8 * running), sub(row, 62 + 8 * running)
  return s, found[2]
end

-- How long it is remembered that a session has expired.
local function remembrance(s)
  return max(MINUTE, math.min(DAY, s.lease))
end

local function expire_at(key, s)
  call('PEXPIREAT', key, digits(math.ceil(s.kept / 1000)))
end

-- A script that has deleted something may write, also where memory is full.
local function expire(key, s)
  call('DEL', key)
  s.state, s.running, s.kept = 'E', '', s.till + remembrance(s)
  call('HSET', key, 's', row_of(s))
  expire_at(key, s)
end

-- A session that lives, and one of its requests; nothing, and why. That it has expired is noted, so that a clock that is set
-- back cannot wake it.
local function live(key, field)
  local s, request = read(key, field)
  if not s then
    return nil, request or '!SESSION_UNKNOWN'
  end
  if s.state == 'L' and s.till > now then
    return s, request
  end
  if s.state == 'L' then
    expire(key, s)
  end
  return nil, '!SESSION_EXPIRED'
end

local function refusal(why, answer)
  return byte(why) == 33 and answer or why -- !
end

-- Moves the mark; returns the numbers to delete. A request that runs below the mark may end, no client asks for it; and nothing was
-- ever granted a window above the mark.
local function pass(key, s, mark)
  local gone, running, below = {}, {}, {}
  for at = 1, #s.running, 8 do
    local field = sub(s.running, at, at + 7)
    local number = unpack('>I8', field)
    below[number] = true
    local request = number < mark and call('HGET', key, field)
    if number < mark and not (request and unpack('>I8', request, 11) > now) then
      gone[#gone + 1] = field
    else
      running[#running + 1] = field
    end
  end
  for number = s.mark, math.min(mark, s.mark + s.window) - 1 do
    if not below[number] then
      gone[#gone + 1] = pack('>I8', number)
    end
  end
  s.mark, s.running = mark, table.concat(running)
  return gone
end

local function delete(key, gone)
  for from = 1, #gone, 1000 do
    call('HDEL', key, spread(gone, from, math.min(#gone, from + 999)))
  end
end

-- Writes the session and, if one is given, a request. Where memory is full what began may still end: after the expiry is written,
-- which takes no memory, the rest may be written too.
local function save(key, s, mark, field, request, begins)
  local gone = mark > s.mark and pass(key, s, mark) or {}
  local moved = s.till + remembrance(s) > s.kept
  if moved then
    s.kept = s.till + remembrance(s) + s.lease
  end
  local values = field and {'s', row_of(s), field, request} or {'s', row_of(s)}
  local reply = pcall('HSET', key, spread(values))
  if type(reply) == 'table' then
    if begins or not string.find(reply.err, 'OOM', 1, true) then
      return '-' .. reply.err
    end
    expire_at(key, s)
    call('HSET', key, spread(values))
  end
  if moved then
    expire_at(key, s)
  end
  delete(key, gone)
end

local function believe(s, span)
  s.till = max(s.till, now + span)
end

local function stop(s, field)
  for at = 1, #s.running, 8 do
    if sub(s.running, at, at + 7) == field then
      s.running = sub(s.running, 1, at - 1) .. sub(s.running, at + 8)
      return
    end
  end
end

local function leased(request, lease)
  return sub(request, 1, 10) .. pack('>I8', now + lease) .. sub(request, 19)
end

local function granted(fence, abandoned)
  return abandoned == 1 and -fence or fence
end

-- An answer that is a complaint has changed nothing.
local function grant(key, s, mark, field, print, holder, lease, abandoned)
  s.fences = s.fences + 1
  if abandoned == 0 then
    s.running = s.running .. field
  end
  believe(s, lease)
  local request = pack('>c1I1I8I8c16', 'R', abandoned, s.fences, now + lease, print) .. holder
  return save(key, s, mark, field, request, true) or granted(s.fences, abandoned)
end

local function claim(key, wish, print, holder)
  local field = sub(wish, 2, 9)
  local s, request = live(key, field)
  if not s then
    return request
  end
  local number, first, lease = unpack('>I8I8I8', wish, 2)
  local mark = max(s.mark, first)
  believe(s, s.lease)
  if number < mark then
    return save(key, s, mark) or '!STALE'
  elseif number - mark >= s.window then
    return save(key, s, mark) or '!WINDOW_FULL'
  elseif not request then
    if s.mode == 'S' and number ~= max(s.done + 1, mark) then
      return save(key, s, mark) or '!OUT_OF_ORDER'
    end
    return grant(key, s, mark, field, print, holder, lease, 0)
  end
  local state, abandoned, fence, till, asked = unpack('>c1I1I8I8c16', request)
  if state == 'R' and sub(request, 35) == holder then
    believe(s, lease)
    return save(key, s, mark, field, leased(request, lease)) or granted(fence, abandoned)
  elseif state == 'R' and till <= now and asked == print then
    return grant(key, s, mark, field, print, holder, lease, 1)
  end
  return save(key, s, mark) or pack('>I8', s.till) .. request
end

local function settle(key, wish, holder, result)
  local field = sub(wish, 3, 10)
  local s, request = live(key, field)
  if not s then
    return refusal(request, 0)
  end
  if not request or byte(request) ~= 82 or sub(request, 3, 10) ~= sub(wish, 11, 18) or sub(request, 35) ~= holder then
    return 0
  end
  local verdict, number = unpack('>c1I8', wish, 2)
  if verdict == 'R' then
    local lease = unpack('>I8', wish, 19)
    believe(s, lease)
    return save(key, s, s.mark, field, leased(request, lease)) or 1
  end
  stop(s, field)
  believe(s, s.lease)
  if verdict == 'C' then
    s.done = max(s.done, number)
    if number >= s.mark then
      local done = 'D' .. sub(request, 2, 10) .. pack('>I8', 0) .. sub(request, 19, 34) .. result
      return save(key, s, s.mark, field, done) or 1
    end
  end
  call('HDEL', key, field)
  return save(key, s, s.mark) or 1
end

local function keep_alive(key, wish)
  local s, why = live(key)
  if not s then
    return why
  end
  local first = unpack('>I8', wish, 2)
  believe(s, s.lease)
  return save(key, s, max(s.mark, first)) or 1
end

-- Only while its place in the registry is reserved.
local function register(key, wish, terms, name)
  local s, why = live(key)
  if s then
    return 1
  elseif why ~= '!SESSION_UNKNOWN' then
    return refusal(why, 0)
  elseif unpack('>I8', wish, 2) < now then
    return 2
  end
  s = {state = 'L', mark = 1, done = 0, fences = 0, kept = 0, running = '', name = name}
  s.mode, s.window, s.lease = unpack('>c1I4I8', terms)
  s.till = now + s.lease
  return save(key, s, 1, nil, nil, true) or 1
end

local function close(key)
  local s, why = live(key)
  if not s then
    return refusal(why, 0)
  end
  return call('DEL', key)
end

local function look(key, wish)
  local s, request = read(key, sub(wish, 2, 9))
  if not s or s.state ~= 'L' or s.till <= now then
    return not s and request or false
  end
  return request and pack('>I8', s.till) .. request
end

-- How many requests it has; nothing if it does not live.
local function count(key)
  local s, failure = read(key)
  if not s or s.state ~= 'L' or s.till <= now then
    return not s and failure or false
  end
  return call('HLEN', key) - 1
end

-- A session that lives and its requests, without holders and answers.
local function view(key)
  local s, failure = read(key)
  if not s or s.state ~= 'L' or s.till <= now then
    return not s and failure or false
  end
  local all = {'+', pack('>c1I4I8I8I8I4', s.mode, s.window, s.lease, s.mark, s.till, #s.name), s.name}
  for _, field in ipairs(call('HKEYS', key)) do
    if #field == 8 then
      all[#all + 1] = field .. sub(call('HGET', key, field), 1, 18)
    end
  end
  return table.concat(all)
end

-- When a session ends; 0 if it has.
local function term(key)
  local s, why = live(key)
  return s and s.till or refusal(why, 0)
end

-- A member of the registry is the hash of a session and that of its scope; the scopes beside it have the same the other way round.
local function by_scope(member)
  return sub(member, 17) .. sub(member, 1, 16)
end

local function strike(key, _, member, scopes)
  call('ZREM', scopes, by_scope(member))
  return call('ZREM', key, member)
end

local function of_scope(scope)
  return '[' .. scope, '[' .. scope .. string.rep('\255', 16)
end

-- Reserves a place in the registry for a while; a session that has one keeps it. Returns 0 if the registry is full, 2 if the scope is.
local function reserve(key, wish, member, scopes)
  local most, own, span = unpack('>I8I8I8', wish, 2)
  local place, of = pcall('ZSCORE', key, member), pcall('ZLEXCOUNT', scopes, of_scope(sub(member, 17)))
  if type(place) == 'table' or type(of) == 'table' then
    return '-' .. (type(place) == 'table' and place or of).err
  end
  if not place and call('ZCARD', key) >= most then
    return 0
  elseif not place and of >= own then
    return 2
  end
  local reply = pcall('ZADD', scopes, 0, by_scope(member))
  if type(reply) ~= 'table' then
    reply = pcall('ZADD', key, 'GT', digits(now + span), member)
  end
  if type(reply) == 'table' then
    if not place then
      call('ZREM', scopes, by_scope(member))
    end
    return '-' .. reply.err
  end
  return 1
end

local function joined(entries, step)
  local all = {}
  for i = 1, #entries, step do
    if #entries[i] ~= 32 then
      return '-FOREIGN'
    end
    all[#all + 1] = step == 1 and entries[i] or entries[i] .. pack('>I8', tonumber(entries[i + 1]))
  end
  -- Marked, because a hash may begin with any byte, also with the one that complaints begin with.
  return '+' .. table.concat(all)
end

-- Sessions that may have ended, with their times in the registry.
local function due(key, wish)
  local most = unpack('>I8', wish, 2)
  local entries = pcall('ZRANGEBYSCORE', key, '-inf', digits(now), 'WITHSCORES', 'LIMIT', 0, most)
  return entries.err and '-' .. entries.err or joined(entries, 2)
end

local function members(key, wish)
  local from, many = unpack('>I8I8', wish, 2)
  local entries = pcall('ZRANGE', key, from, from + many - 1)
  return entries.err and '-' .. entries.err or joined(entries, 1)
end

-- Sessions of a scope that may live.
local function sessions(key, wish, scope)
  local most = unpack('>I8', wish, 2)
  local first, last = of_scope(scope)
  local entries = pcall('ZRANGEBYLEX', key, first, last, 'LIMIT', 0, most)
  return entries.err and '-' .. entries.err or joined(entries, 1)
end

-- Another time, or none, for a member that is still where it was seen.
local function move(key, wish, member, scopes)
  local seen, next = unpack('>I8I8', wish, 2)
  local place = call('ZSCORE', key, member)
  if not place or tonumber(place) ~= seen then
    return 0
  elseif next == 0 then
    return strike(key, wish, member, scopes)
  end
  call('ZADD', key, 'XX', digits(next), member)
  return 1
end

local answers = {
  c = claim, s = settle, k = keep_alive, r = register, x = close, l = look, n = count, t = term, v = view,
  R = reserve, D = due, M = members, V = move, Z = strike, S = sessions
}

local replies = {now}
for i, key in ipairs(KEYS) do
  local wish = ARGV[3 * i - 2]
  replies[i + 1] = answers[sub(wish, 1, 1)](key, wish, ARGV[3 * i - 1], ARGV[3 * i])
end
return replies
