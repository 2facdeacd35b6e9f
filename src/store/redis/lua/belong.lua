-- Notes who belongs to which client of the API.
belong()
return 1
