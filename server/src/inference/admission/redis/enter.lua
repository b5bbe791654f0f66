-- Admits a call of a key, or says which limit it has reached, and the time to wait.
--
-- KEYS: the key's state, and when the lease of each replica on it ends. The state has the time at which the
-- allowances of requests (r) and tokens (t) are whole again (GCRA), the period of the budget (p) and what is used
-- of it (u), and for each replica the streams (s:) and the reserved tokens (o:) of its calls in progress.
local now, requests, tokens, demand = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local streams, replica, lease = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local budget, period, written, left = tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10]), tonumber(ARGV[11])
local state, leases = KEYS[1], KEYS[2]
if now < 0 then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function number(field) return tonumber(redis.call('HGET', state, field) or 0) end

local kind, wait = 0, 0
local function refuse(with, time)
    if time > wait then kind, wait = with, time end
end
-- The time at which an allowance is whole again, of a limit by minute, and the time of one unit of it.
local function whole(field) return math.max(number(field), now) end
local function unit(limit) return 60000 / math.max(limit, 1) end
local function check(with, at, limit)
    if limit == 0 then refuse(with, 60000) else refuse(with, at - now - 60000 + unit(limit)) end
end
local r, t = whole('r'), whole('t')
if requests >= 0 then check(1, r, requests) end
if tokens >= 0 then check(2, t, tokens) end
local held, reserved = 0, 0
if streams >= 0 or budget >= 0 then
    for _, other in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
        redis.call('HDEL', state, 's:' .. other, 'o:' .. other)
    end
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
    for _, other in ipairs(redis.call('ZRANGE', leases, 0, -1)) do
        held = held + math.max(number('s:' .. other), 0)
        reserved = reserved + math.max(number('o:' .. other), 0)
    end
end
if streams >= 0 and held >= streams then refuse(3, 1000) end
if budget >= 0 then
    if redis.call('HGET', state, 'p') ~= period then redis.call('HSET', state, 'p', period, 'u', 0) end
    -- The database may know more, since this server was not always there.
    local used = math.max(number('u'), written)
    redis.call('HSET', state, 'u', used)
    if used >= budget then
        refuse(4, left)
    elseif used + reserved >= budget then
        refuse(4, 1000)
    end
end
if wait <= 0 then
    if requests > 0 then r = r + unit(requests) end
    if tokens > 0 then t = t + demand * unit(tokens) end
    redis.call('HSET', state, 'r', r, 't', t)
    if streams >= 0 or budget >= 0 then
        redis.call('HINCRBY', state, 'o:' .. replica, demand)
        if streams >= 0 then redis.call('HINCRBY', state, 's:' .. replica, 1) end
        redis.call('ZADD', leases, now + lease, replica)
        redis.call('PEXPIRE', leases, lease)
    end
end
local lasts = math.max(r - now, t - now, lease)
if budget >= 0 then lasts = math.max(lasts, left) end
redis.call('PEXPIRE', state, math.min(math.ceil(lasts), 4e9) + 1000)
return {kind, math.ceil(wait), math.ceil(r - now), math.ceil(t - now)}
