-- Renews the lease of a replica on a key. A new lease holds its calls in progress.
--
-- KEYS: as in enter.lua.
local now, replica, lease = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local state, leases = KEYS[1], KEYS[2]
if now < 0 then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
end
if not redis.call('ZSCORE', leases, replica) then
    redis.call('HSET', state, 'c:' .. replica, ARGV[4], 's:' .. replica, ARGV[5], 'o:' .. replica, ARGV[6])
end
redis.call('ZADD', leases, now + lease, replica)
redis.call('PEXPIRE', leases, lease)
if redis.call('PTTL', state) < lease then redis.call('PEXPIRE', state, lease + 1000) end
return 0
