// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.semel.redis.internal.script.Micros;
import java.time.Duration;

/** Makes rows older by rewriting their times and what Redis expires them by. */
final class Elapsing {

    private static final String SCRIPT = """
        local NEVER = 9007199254740992
        local span = tonumber(ARGV[1])
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local function earlier(at)
          return at >= NEVER and NEVER or math.max(0, at - span)
        end
        for _, key in ipairs(redis.call('KEYS', '*')) do
          if redis.call('TYPE', key).ok == 'string' then
            local row = redis.call('GET', key)
            local value = row
            local hash = string.match(key, '{%x%x}(.*)$')
            if hash and #hash == 16 and string.sub(row, 1, 2) == '\\193\\1' then
              local till, since, forget = struct.unpack('>I8I8I8', row, 4)
              value = string.sub(row, 1, 3)
                .. struct.pack('>I8I8I8', earlier(till), earlier(since), earlier(forget)) .. string.sub(row, 28)
            end
            local expiry = redis.call('PEXPIRETIME', key)
            if expiry < 0 then
              redis.call('SET', key, value)
            elseif earlier(expiry * 1000) <= now then
              redis.call('DEL', key)
            else
              redis.call('SET', key, value, 'PXAT', string.format('%.0f', earlier(expiry * 1000) / 1000))
            end
          elseif redis.call('TYPE', key).ok == 'zset' then
            local members = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
            local listed = string.match(key, '{%x%x}(%l+)$')
            for i = 1, #members, 2 do
              if listed then
                local since = struct.unpack('>I8', members[i])
                redis.call('ZREM', key, members[i])
                redis.call('ZADD', key, string.format('%.0f', earlier(tonumber(members[i + 1]))),
                  struct.pack('>I8', earlier(since)) .. string.sub(members[i], 9))
              elseif members[i + 1] ~= '0' then
                redis.call('ZADD', key, string.format('%.0f', members[i + 1] - span), members[i])
              end
            end
          elseif redis.call('TYPE', key).ok == 'hash' then
            local fields = redis.call('HGETALL', key)
            for i = 1, #fields, 2 do
              local value = fields[i + 1]
              for _, at in ipairs(fields[i] == 's' and {42, 50} or {11}) do
                local till = struct.unpack('>I8', value, at)
                value = string.sub(value, 1, at - 1) .. struct.pack('>I8', math.max(0, till - span))
                  .. string.sub(value, at + 8)
              end
              redis.call('HSET', key, fields[i], value)
            end
            redis.call('PEXPIREAT', key, string.format('%.0f', redis.call('PEXPIRETIME', key) - span / 1000))
          end
        end
        return 1
        """;

    static long elapse(RedisCommands<String, String> commands, Duration span) {
        return commands.<Long>eval(SCRIPT, ScriptOutputType.INTEGER, new String[0], "" + Micros.of(span));
    }

    private Elapsing() {}
}
