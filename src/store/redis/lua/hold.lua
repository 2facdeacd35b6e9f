-- Takes or renews a lease under a name; gives whether this replica holds it. KEYS[1] is the lease.
local replica, ttl = take(), take()
clear(P, 'string')
local holder = call('GET', P)
if holder and holder ~= replica then return 0 end
call('SET', P, replica, 'PX', ttl)
return 1
