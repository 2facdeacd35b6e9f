-- Ends the lease of a partition, where it is held under this fence.
if call('GET', P .. 'lease') ~= take() then return 0 end
return call('DEL', P .. 'lease')
