-- Admits a call of a key, or returns the exhausted limit and the time to wait. Times are in milliseconds. The limits
-- are numbered: requests (1), tokens (2), concurrent calls (3), concurrent streams (4) and the budget (5). A limit of
-- -1 does not apply.
--
-- KEYS: the state of the key, and the ends of the leases of replicas on it. The state has the times at which the
-- allowances of requests (r) and tokens (t) are refilled (GCRA), and the period of the budget (p) with its used
-- tokens (u). For each replica, it has the calls (c:) and streams (s:) in progress, and their reserved tokens (o:).
local now, requests, tokens, demand = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local calls, streams, replica, lease = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8])
local budget, period, written, left = tonumber(ARGV[9]), ARGV[10], tonumber(ARGV[11]), tonumber(ARGV[12])
local state, leases = KEYS[1], KEYS[2]
if now < 0 then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function number(field) return tonumber(redis.call('HGET', state, field) or 0) end

-- Times that are this small are rounding errors.
local kind, wait = 0, 0.01
local function reject(with, time)
    if time > wait then kind, wait = with, time end
end
-- The time at which an allowance is refilled, and the time that refills one unit of it.
local function refilled(field) return math.max(number(field), now) end
local function unit(limit) return 60000 / math.max(limit, 1) end
local function check(with, at, limit)
    if limit == 0 then reject(with, 60000) else reject(with, at - now - 60000 + unit(limit)) end
end
local r, t = refilled('r'), refilled('t')
if requests >= 0 then check(1, r, requests) end
if tokens >= 0 then check(2, t, tokens) end
local called, streamed, reserved = 0, 0, 0
local holds = calls >= 0 or streams >= 0 or budget >= 0
if holds then
    for _, other in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
        redis.call('HDEL', state, 'c:' .. other, 's:' .. other, 'o:' .. other)
    end
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
    for _, other in ipairs(redis.call('ZRANGE', leases, 0, -1)) do
        called = called + math.max(number('c:' .. other), 0)
        streamed = streamed + math.max(number('s:' .. other), 0)
        reserved = reserved + math.max(number('o:' .. other), 0)
    end
end
if calls >= 0 and called >= calls then reject(3, 1000) end
if streams >= 0 and streamed >= streams then reject(4, 1000) end
if budget >= 0 then
    -- A replica whose clock is behind asks for an older period, of which only the database knows the used tokens. Days
    -- compare as text.
    local known, used = redis.call('HGET', state, 'p'), written
    if not known or known < period then
        redis.call('HSET', state, 'p', period, 'u', used)
    elseif known == period then
        -- The database may have more, because this server may have started later.
        used = math.max(number('u'), written)
        redis.call('HSET', state, 'u', used)
    end
    if used >= budget then
        reject(5, left)
    elseif used + reserved >= budget then
        reject(5, 1000)
    end
end
if kind == 0 then
    if requests > 0 then r = r + unit(requests) end
    if tokens > 0 then t = t + demand * unit(tokens) end
    redis.call('HSET', state, 'r', r, 't', t)
    if holds then
        redis.call('HINCRBY', state, 'o:' .. replica, demand)
        if calls >= 0 then redis.call('HINCRBY', state, 'c:' .. replica, 1) end
        if streams >= 0 then redis.call('HINCRBY', state, 's:' .. replica, 1) end
        redis.call('ZADD', leases, now + lease, replica)
        redis.call('PEXPIRE', leases, lease)
    end
end
local lasts = math.max(r - now, t - now, lease)
if budget >= 0 then lasts = math.max(lasts, left) end
redis.call('PEXPIRE', state, math.min(math.ceil(lasts), 4e9) + 1000)
return {kind, kind == 0 and 0 or math.ceil(wait), math.ceil(r - now), math.ceil(t - now)}
