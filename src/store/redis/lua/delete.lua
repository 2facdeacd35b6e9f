-- Deletes a session; gives whether there was one.
return drop_session(take())
