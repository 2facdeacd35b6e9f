-- Notes which key seals here, unless there is a mark of one that the caller does not have; gives all marks.
-- KEYS[1] is the hash of marks: the name of a key -> something that it has sealed.
local name, mark, known = take(), take(), {}
for _ = 1, tonumber(take()) do known[take()] = true end
for _, other in ipairs(call('HKEYS', P)) do
  if not known[other] then return call('HGETALL', P) end
end
call('HSETNX', P, name, mark)
return call('HGETALL', P)
