-- Writes a turn whole, or not at all: "done", "mine", "conflict", "stale", with when the next lane is ready.
local fence, session, version, new_version, turn, now = take(), take(), take(), take(), take(), take()
local events, row = P .. 'e:' .. session, P .. 's:' .. session
if call('GET', P .. 'epoch') ~= fence then return { 'stale' } end

local has_event, worked_on = take() == '1', {}
for no = 1, tonumber(take()) do
  local event, replies = take(), take()
  worked_on[no] = { event, replies, call('HGET', events, event) }
end
local first = has_event and worked_on[1][3]
if first and first:sub(1, 1) == 'd' then
  return { first:sub(2, 33) == turn and 'mine' or 'conflict' }
end
local present = call('HMGET', row, 'v', 't', 'p')
if present[2] == turn then return { 'mine' } end
if (present[1] or '0') ~= version then return { 'conflict' } end

-- The session. Its write comes first: a store that is full refuses it, and with it the whole turn.
local owner = take()
if take() == '1' then
  local body, key, expires, ttl, persons = take(), take(), take(), take(), take()
  call('HSET', row, 'v', new_version, 't', turn, 'x', expires, 'b', body, 'p', persons)
  if key ~= '' then call('HSET', row, 'k', key) end
  call('PEXPIRE', row, ttl)
  call('ZADD', P .. 'x', expires, session)
  if present[3] and present[3] ~= persons then
    each_person(present[3], function(person) forget(person, 's' .. session) end)
  end
  each_person(persons, function(person) remember(person, 's' .. session) end)
else
  drop_session(session)
end

-- The events, and what a model answered to the one that was worked on.
if #worked_on > 0 then
  local ttl = take()
  for _, one in ipairs(worked_on) do
    local name = session .. ':' .. one[1]
    close(events, name, one[3])
    call('HSET', events, one[1], 'd' .. turn .. one[2], '#p', owner)
    call('ZADD', P .. 'd', now, name)
  end
  keep_events(events, ttl)
  remember(owner, 'k' .. session)
  local answers = P .. 'a:' .. session
  if has_event then
    for _, call_of in ipairs(call('HKEYS', answers)) do
      if call_of:sub(1, 32) == worked_on[1][1] then call('HDEL', answers, call_of) end
    end
  end
end

-- What leaves, and what is kept for good, in the order of all partitions.
local entries, submissions = tonumber(take()), tonumber(take())
if entries + submissions == 0 then return { 'done', '' } end
local time = call('TIME')
local seq = math.max(time[1] * 1000000 + time[2], tonumber(call('GET', P .. 'seq') or '0') + 1)
local function number()
  seq = seq + 1
  return string.format('%.0f', seq)
end

for _ = 1, entries do
  local entry, lane, due, attempts, person, head, body, why = take(), take(), take(), take(), take(), take(), take(), take()
  local key = P .. 'o:' .. entry
  local state = call('HGET', key, 'st')
  if not state then
    local no = number()
    call('HSET', key, 'st', 'w', 'lane', lane, 'due', due, 'lease', '0', 'n', attempts, 'seq', no, 'at', now,
      'p', person, 'm', head, 'b', body, 'e', why)
    call('ZADD', P .. 'l:' .. lane, no, entry)
    remember(person, 'o' .. entry)
    touch(lane)
  elseif state == 'x' then
    revive(entry, due, now)
  end
end
for _ = 1, submissions do
  local submission, form, persons, body = take(), take(), take(), take()
  local key = P .. 'u:' .. submission
  if call('EXISTS', key) == 0 then
    local no = number()
    call('HSET', key, 'b', body, 'f', form, 'p', persons)
    call('ZADD', P .. 'us', no, submission)
    call('ZADD', P .. 'uf:' .. form, no, submission)
    each_person(persons, function(person)
      remember(person, 'u' .. submission)
      call('PERSIST', P .. 'p:' .. person)
    end)
  end
end
call('SET', P .. 'seq', string.format('%.0f', seq))
return { 'done', next_ready() }
