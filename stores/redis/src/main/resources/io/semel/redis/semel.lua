-- Answers questions about slots, one per key, in their order. Rows are described in docs/formats/redis.md.
-- Positions within a row: 3 state, 4 till, 12 since, 20 forget, 28 attempts, 30 print, 46 fence, 54 name.

local NEVER = 9007199254740992
local DAY = 86400000000
local APART = 1024
local HELD, FREE, GONE = 72, 70, 71
local SETTLED, UNKNOWN, SETTLED_APART, UNKNOWN_APART = 83, 85, 115, 117

local byte, sub, pack, unpack = string.byte, string.sub, struct.pack, struct.unpack
local pcall = redis.pcall
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function later(from, span)
  return (from >= NEVER or span >= NEVER) and NEVER or from + span
end

local function set(key, value, forget)
  local reply
  if forget >= NEVER then
    reply = pcall('SET', key, value)
  else
    reply = pcall('SET', key, value, 'PXAT', math.ceil(forget / 1000))
  end
  return reply.err and '-' .. reply.err
end

-- What was granted may also be settled where memory is full: a script that has deleted something may write.
local function force(key, value, forget)
  local failure = set(key, value, forget)
  if failure and string.find(failure, 'OOM', 1, true) then
    redis.call('DEL', key)
    failure = set(key, value, forget)
  end
  return failure
end

-- The row and its state, or false if there is none; and an error, if the row is not ours.
local function read(key)
  local row = pcall('GET', key)
  if not row then
    return false
  end
  if type(row) == 'table' then
    return false, nil, '-' .. row.err
  end
  local magic, format, state = byte(row, 1, 3)
  if #row < 57 or magic ~= 193 or format ~= 1 then
    return false, nil, '-FOREIGN'
  end
  return row, state
end

-- The lists of a bucket, what is in flight and what is unknown, are kept in step with its rows, so that operators find both without
-- looking at everything: each member is the row's since and the hash of its name, its score is the row's till.
local function member(key, since)
  return pack('>I8', since) .. sub(key, -16)
end

local function list(which, key, since, till)
  local reply = pcall('ZADD', sub(key, 1, -17) .. which, till, member(key, since))
  return type(reply) == 'table' and reply.err and '-' .. reply.err
end

local function unlist(key, row, state)
  local which = state == HELD and 'held' or (state == UNKNOWN or state == UNKNOWN_APART) and 'unknown'
  if not which then
    return false
  end
  local reply = pcall('ZREM', sub(key, 1, -17) .. which, member(key, (unpack('>I8', row, 12))))
  return type(reply) == 'table' and reply.err and '-' .. reply.err
end

local function is_settled(state)
  return state == SETTLED or state == UNKNOWN or state == SETTLED_APART or state == UNKNOWN_APART
end

-- The row with its result, also where that is kept apart; gone where it is no longer there.
local function whole(key, row, state)
  if state ~= SETTLED_APART and state ~= UNKNOWN_APART then
    return row, state
  end
  local result = pcall('GET', key .. ':a')
  if type(result) ~= 'string' then
    return '\193\1G' .. sub(row, 4), GONE
  end
  return '\193\1' .. string.char(state - 32) .. sub(row, 4) .. result, state - 32
end

local function name_of(row)
  local scope, id = unpack('>I2I2', row, 54)
  return sub(row, 54, 57 + scope + id)
end

-- The row first: after it, the list may be written also where memory is full.
local function renew(key, row, lease)
  return force(key, '\193\1H' .. pack('>I8', now + lease) .. sub(row, 12), NEVER)
    or list('held', key, (unpack('>I8', row, 12)), now + lease)
end

local function claim(key, wish, print, tail)
  local row, state, failure = read(key)
  if failure then
    return failure
  end
  local lease = unpack('>I8', wish, 2)
  local fence, attempts = now, 1
  if row then
    local till, _, forget, tries = unpack('>I8I8I8I2', row, 4)
    if state == HELD then
      if sub(row, 54) == tail then
        local last = unpack('>I8', row, 46)
        return renew(key, row, lease) or (tries > 1 and -last or last)
      end
      if till > now or sub(row, 30, 45) ~= print then
        return row
      end
      attempts = math.min(tries + 1, 65535)
    elseif state ~= FREE and forget > now then
      return till > now and whole(key, row, state) or sub(row, 1, 53) .. name_of(row)
    end
    fence = math.max(now, unpack('>I8', row, 46) + 1)
    failure = unlist(key, row, state)
    if failure then
      return failure
    end
  end
  failure = list('held', key, now, now + lease)
  if failure then
    return failure
  end
  local head = pack('>c3I8I8I8I2c16I8', '\193\1H', now + lease, now, NEVER, attempts, print, fence)
  return set(key, head .. tail, NEVER) or (attempts > 1 and -fence or fence)
end

local function complete(key, row, state, retention, remembrance, grant, result)
  local till = later(now, retention)
  local forget = later(till, remembrance)
  local tail = result
  if state == 'U' then
    local unknown = sub(key, 1, -17) .. 'unknown'
    pcall('ZREMRANGEBYSCORE', unknown, '-inf', now)
    local failure = list('unknown', key, now, till)
    if failure then
      return failure
    end
  end
  if #result > APART and forget > till then
    local failure = force(key .. ':a', result, till)
    if failure then
      return failure
    end
    state, tail = string.lower(state), ''
  end
  local head = pack('>c2c1I8I8I8c18', '\193\1', state, till, now, forget, sub(row, 28, 45))
  return force(key, head .. grant .. tail, forget) or 1
end

-- Only its fence is remembered, for a day, in case the clock is set back.
local function release(key, row)
  local last = unpack('>I8', row, 46)
  local forget = math.max(now, last) + DAY
  return force(key, pack('>c3I8I8I8', '\193\1F', now, now, forget) .. sub(row, 28, 53) .. '\0\0\0\0', forget) or 1
end

-- The grant is fence and name, as they are in the row.
local function apply(key, row, state, verdict, first, second, grant, result)
  if verdict == 'R' then
    return renew(key, row, first) or 1
  end
  local failure = unlist(key, row, state)
  if failure then
    return failure
  end
  if verdict == 'F' then
    return release(key, row)
  end
  return complete(key, row, verdict, first, second, grant, result)
end

local function settle(key, wish, grant, holder, result)
  local row, state, failure = read(key)
  if not row then
    return failure or 0
  end
  if state ~= HELD or sub(row, 46) ~= grant .. holder then
    return 0
  end
  local verdict, first, second = unpack('>c1I8I8', wish)
  return apply(key, row, state, verdict, first, second, grant, result)
end

local function amend(key, wish, seen, result)
  local row, state, failure = read(key)
  if not row then
    return failure or 0
  end
  local till = unpack('>I8', row, 4)
  if not is_settled(state) or till <= now then
    return 0
  end
  local known, status = whole(key, row, state)
  local name = name_of(row)
  if status == GONE or sub(known, 54 + #name) ~= seen then
    return 0
  end
  local verdict, first, second = unpack('>c1I8I8', wish, 2)
  return apply(key, row, state, verdict, first, second, sub(row, 46, 53) .. name, result)
end

local function look(key)
  local row, state, failure = read(key)
  if not row then
    return failure or false
  end
  return (whole(key, row, state))
end

-- The row without its result, after the number of bytes that it takes with it.
local function head(key)
  local row = pcall('GETRANGE', key, 0, 2168)
  if type(row) == 'table' then
    return '-' .. row.err
  end
  if row == '' then
    return false
  end
  local magic, format, state = byte(row, 1, 3)
  if #row < 57 or magic ~= 193 or format ~= 1 then
    return '-FOREIGN'
  end
  local bytes = redis.call('STRLEN', key)
  if is_settled(state) then
    bytes = bytes + redis.call('STRLEN', key .. ':a')
    row = sub(row, 1, 53) .. name_of(row)
  end
  return pack('>I8', bytes) .. row
end

local function number(reply)
  return type(reply) == 'number' and reply or 0
end

-- How many of a bucket are held, lapsed and unknown.
local function count(bucket)
  local held, unknown = bucket .. 'held', bucket .. 'unknown'
  local after = '(' .. string.format('%.0f', now)
  return pack('>I8I8I8', number(pcall('ZCOUNT', held, after, '+inf')), number(pcall('ZCOUNT', held, '-inf', now)),
    number(pcall('ZCOUNT', unknown, after, '+inf')))
end

-- The members of one list of a bucket that are not over.
local function members(bucket, which)
  local found
  if which == 'u' then
    found = pcall('ZRANGEBYSCORE', bucket .. 'unknown', '(' .. string.format('%.0f', now), '+inf')
  else
    found = pcall('ZRANGE', bucket .. 'held', 0, -1)
  end
  if found.err then
    return '-' .. found.err
  end
  return #found > 0 and table.concat(found)
end

-- Removes from a list a slot that was evicted or deleted.
local function strike(key, wish)
  local which, since = unpack('>c1I8', wish, 2)
  local row, state, failure = read(key)
  if failure then
    return failure
  end
  local listed = row and unpack('>I8', row, 12) == since
    and (which == 'h' and state == HELD or which == 'u' and (state == UNKNOWN or state == UNKNOWN_APART))
  if listed then
    return 0
  end
  return number(pcall('ZREM', sub(key, 1, -17) .. (which == 'h' and 'held' or 'unknown'), member(key, since)))
end

local replies = {now}
local at = 1
for i, key in ipairs(KEYS) do
  local wish = ARGV[at]
  local kind = byte(wish)
  if kind == 99 then -- c
    replies[i + 1] = claim(key, wish, ARGV[at + 1], ARGV[at + 2])
    at = at + 3
  elseif kind < 97 then -- a verdict: F, R, S or U
    replies[i + 1] = settle(key, wish, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
    at = at + 4
  elseif kind == 108 then -- l
    replies[i + 1] = look(key)
    at = at + 1
  elseif kind == 104 then -- h
    replies[i + 1] = head(key)
    at = at + 1
  elseif kind == 110 then -- n
    replies[i + 1] = count(key)
    at = at + 1
  elseif kind == 109 then -- m
    replies[i + 1] = members(key, sub(wish, 2))
    at = at + 1
  elseif kind == 120 then -- x
    replies[i + 1] = strike(key, wish)
    at = at + 1
  else
    replies[i + 1] = amend(key, wish, ARGV[at + 1], ARGV[at + 2])
    at = at + 3
  end
end
return replies
