-- Counts the used tokens of a replica's calls with a key, and releases their reservations.
--
-- KEYS: as in enter.lua.
local now, tokens, taken = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local replica, lease = ARGV[4], tonumber(ARGV[5])
local ended_calls, ended_streams, released = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local period, used = ARGV[9], tonumber(ARGV[10])
local state, leases = KEYS[1], KEYS[2]
if now < 0 then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local lasts = lease
if tokens > 0 and taken ~= 0 then
    local refilled = math.max(tonumber(redis.call('HGET', state, 't') or 0), now) + taken * 60000 / tokens
    redis.call('HSET', state, 't', refilled)
    lasts = math.max(lasts, refilled - now)
end
if redis.call('HGET', state, 'p') == period then redis.call('HINCRBY', state, 'u', used) end
-- An expired lease holds nothing. A negated 0 would be no integer for Redis.
if redis.call('ZSCORE', leases, replica) then
    local calls = redis.call('HINCRBY', state, 'c:' .. replica, 0 - ended_calls)
    local streams = redis.call('HINCRBY', state, 's:' .. replica, 0 - ended_streams)
    local reserved = redis.call('HINCRBY', state, 'o:' .. replica, 0 - released)
    if calls <= 0 and streams <= 0 and reserved <= 0 then
        redis.call('HDEL', state, 'c:' .. replica, 's:' .. replica, 'o:' .. replica)
        redis.call('ZREM', leases, replica)
    else
        redis.call('ZADD', leases, now + lease, replica)
        redis.call('PEXPIRE', leases, lease)
    end
end
if redis.call('PTTL', state) < lasts then redis.call('PEXPIRE', state, math.min(math.ceil(lasts), 4e9) + 1000) end
return 0
