-- Before every script: the partition's key names, and what several scripts do.
--
-- KEYS[1] is the common beginning of the partition's keys, with its hash tag; every key below begins with it.
--   epoch  "<number> <replica>": who may commit; the number grows with each owner. lease: the same, while it holds.
--   s:     a session: v version, t turn, x expires, k its key, b its body, p who is in it.   x: sessions by expiry
--   e:     the events of a session key: <event> -> "o<person><stream id>" while open, "d<turn><replies>" once done,
--          #o how many are open, #p whose key it is.   in: open events in order.   d: done events by time
--   a:     what a model answered in the turns of a session key
--   o:     an outbox entry.   l: a lane's waiting entries in order.   q: lanes by when their head is ready
--          od: delivered entries by time.   ox: dead letters in order
--   u:     a submission.   us, uf: submissions in order, all and of a form
--   n:     a note.   na: notes about people by age
--   p:     what there is of a person: s, k (all of a session key), e, o, u, n; m: somebody whom this client of the API speaks
--          for, c: the client that speaks for this person.   seq: the last number given to an entry or a submission
-- Versions, numbers and times of the client come and go as text: a Lua number is a double.
local P = KEYS[1]
local call = redis.call
-- How long what there is of a person is remembered unless it is touched: longer than any session lives. It goes earlier,
-- with the last thing of theirs that is swept.
local MEMORY = '51840000000'
local taken = 0

-- Removes what is of another kind than this program puts there: nobody could work beside it. Gives 1 where it did.
local function clear(key, kind)
  local found = call('TYPE', key).ok
  if found == kind or found == 'none' then return 0 end
  call('DEL', key)
  return 1
end

local function take()
  taken = taken + 1
  return ARGV[taken]
end

local function remember(person, member)
  if person == '' then return end
  local key = P .. 'p:' .. person
  if call('SADD', key, member) == 1 and call('SCARD', key) == 1 then
    call('PEXPIRE', key, MEMORY)
  else
    -- One that was made to stay for good stays so.
    call('PEXPIRE', key, MEMORY, 'GT')
  end
end

-- A client no longer has a person of whom nothing else is left.
local function no_more(person)
  local key = P .. 'p:' .. person
  if call('SCARD', key) ~= 1 then return end
  local last = call('SMEMBERS', key)[1]
  if last:sub(1, 1) == 'c' then
    call('SREM', P .. 'p:' .. last:sub(2), 'm' .. person)
    call('DEL', key)
  end
end

local function forget(person, member)
  if person ~= '' and call('SREM', P .. 'p:' .. person, member) == 1 then no_more(person) end
end

-- Notes who belongs to which client of the API. A client is remembered as long as it has anybody.
local function belong()
  for _ = 1, tonumber(take()) do
    local client, person = take(), take()
    if call('EXISTS', P .. 'p:' .. person) == 1 then
      call('SADD', P .. 'p:' .. client, 'm' .. person)
      call('PERSIST', P .. 'p:' .. client)
      remember(person, 'c' .. client)
    end
  end
end

-- Digests of persons, one after the other.
local function each_person(persons, act)
  for at = 1, #persons, 32 do act(persons:sub(at, at + 31)) end
end

local function drop_session(session)
  -- What is of another kind was not put there by this program.
  local kind = call('TYPE', P .. 's:' .. session).ok
  if kind ~= 'hash' and kind ~= 'none' then
    call('ZREM', P .. 'x', session)
    return call('DEL', P .. 's:' .. session)
  end
  local persons = call('HGET', P .. 's:' .. session, 'p')
  call('ZREM', P .. 'x', session)
  if not persons then return 0 end
  each_person(persons, function(person) forget(person, 's' .. session) end)
  return call('DEL', P .. 's:' .. session)
end

-- Sorts a lane by when its head is ready.
local function touch(lane)
  local entries = P .. 'l:' .. lane
  while true do
    local head = call('ZRANGE', entries, 0, 0)[1]
    if not head then
      call('ZREM', P .. 'q', lane)
      return
    end
    local ready = call('HMGET', P .. 'o:' .. head, 'due', 'lease')
    if ready[1] then
      if tonumber(ready[2]) > tonumber(ready[1]) then ready[1] = ready[2] end
      call('ZADD', P .. 'q', ready[1], lane)
      return
    end
    call('ZREM', entries, head)
  end
end

-- When the next lane is ready; empty where none waits.
local function next_ready()
  return call('ZRANGE', P .. 'q', 0, 0, 'WITHSCORES')[2] or ''
end

local function revive(entry, due, now)
  local key = P .. 'o:' .. entry
  local known = call('HMGET', key, 'lane', 'seq')
  call('HSET', key, 'st', 'w', 'due', due, 'lease', '0', 'n', '0', 'at', now)
  call('ZREM', P .. 'ox', entry)
  call('ZADD', P .. 'l:' .. known[1], known[2], entry)
  touch(known[1])
end

-- Ends an open event, if it is one.
local function close(events, event, seen)
  if not seen or seen:sub(1, 1) ~= 'o' then return end
  call('XDEL', P .. 'in', seen:sub(34))
  call('HINCRBY', events, '#o', -1)
  if seen:sub(2, 2) ~= '-' then forget(seen:sub(2, 33), 'e' .. event) end
end

-- Events are kept for a while once none of them is open.
local function keep_events(events, ttl)
  if tonumber(call('HGET', events, '#o') or '0') > 0 then
    call('PERSIST', events)
  else
    call('PEXPIRE', events, ttl)
  end
end

