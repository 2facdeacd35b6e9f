-- Ends a lease under a name, where this replica holds it. KEYS[1] is the lease.
if call('GET', P) ~= take() then return 0 end
return call('DEL', P)
