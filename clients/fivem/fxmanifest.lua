fx_version 'cerulean'
games { 'gta5', 'rdr3' }
rdr3_warning 'I acknowledge that this is a prerelease build of RedM, and I am aware my resources *will* become incompatible once RedM ships.'
lua54 'yes'

name 'fundus'
description 'Pictures of players, stored on your own Fundus'

-- server.lua reads fundus.lua itself; listed here it would be run, or sent to every player.
server_script 'server.lua'
client_script 'client.lua'
