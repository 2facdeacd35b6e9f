-- Goes on through the keys that begin with KEYS[1]: where to go on from, and the keys.
return call('SCAN', take(), 'MATCH', P .. '*', 'COUNT', 1000)
