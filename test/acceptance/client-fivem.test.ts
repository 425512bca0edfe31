/**
 * clients/fivem: the resource for game servers, run by real Lua with a fake game (test/support/fivem.lua).
 */
import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { read } from '../support/api.ts'
import { useFolder } from '../support/folder.ts'
import { findLuaSocket } from '../support/lua.ts'
import { photo } from '../support/photos.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'

needsTool('lua-socket', findLuaSocket)
const on = sharedService()
const folder = await useFolder()
const RESOURCE = resolve(import.meta.dir, '../../clients/fivem')
const SUPPORT = resolve(import.meta.dir, '../support')
const picture = join(folder, 'picture.webp')
await writeFile(picture, await photo('webp'))

/** Runs a script that has `open(options)`, `picture` and `show`; returns the lines that it shows. */
async function inGame(script: string, token = on.token): Promise<string[]> {
  const file = join(folder, 'script.lua')
  const head = `package.path = ${JSON.stringify(`${SUPPORT}/?.lua`)} .. ';' .. package.path
    local fivem = require('fivem')
    local picture = io.open(arg[3], 'rb'):read('*a')
    local function show(...)
      local parts = {}
      for at = 1, select('#', ...) do parts[at] = tostring((select(at, ...))) end
      print(table.concat(parts, ' '))
    end
    local function open(options)
      options.folder = ${JSON.stringify(RESOURCE)}
      options.convars = options.convars or { fundus_url = arg[1], fundus_key = arg[2] }
      return fivem.new(options)
    end
    local function sends_it() return picture end
  `
  await writeFile(file, head + script)
  const child = Bun.spawn(['lua5.4', file, on.service.url, token, picture], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim().split('\n')
}

const PLAYERS_PATH = /\/f\/(players\/\d{4}-\d\d-\d\d\/[0-9a-f]{16}\.webp)$/

async function stored(url: string): Promise<number> {
  const path = PLAYERS_PATH.exec(url)?.[1]
  expect(path).toBeDefined()
  return (await (await read(on.service, path!)).bytes()).length
}

describe('a picture of a player', () => {
  test('is taken by the player, asked for by the server, in both shapes that scripts read', async () => {
    const [url, again, id, status] = await inGame(`
      local game = open({ player = sends_it })
      local image = game:call('server', 'takeServerImage', 7, { name = 'ignored' }).value
      show(image.url) show(image.data.url) show(image.id == image.data.id) show(image.status)`)
    expect([again, id, status]).toEqual([url!, 'true', 'ok'])
    expect(await stored(url!)).toBe(Bun.file(picture).size)
  })

  test('is asked for by the player, who never sees the key', async () => {
    const [url, key] = await inGame(`
      local seen
      local game = open({ player = function(order, address) seen = address return picture end })
      show(game:call('client', 'takeImage').value.url)
      show(seen:find(arg[2], 1, true) == nil)`)
    expect(await stored(url!)).toBeGreaterThan(0)
    expect(key).toBe('true')
  })

  test('that is refused, missing or nobody’s raises a sentence', async () => {
    const token = await on.tokenWith('--prefix', 'elsewhere')
    const script = `
      local function tell(options, player, ...) show(open(options):call('server', 'takeServerImage', player or 7, ...).problem) end
      tell({ player = sends_it })
      tell({ player = sends_it, convars = {} })
      tell({ player = sends_it }, 8)`
    expect(await inGame(script, token)).toEqual([
      'Dieses Token darf nur unter „elsewhere/“ schreiben.',
      'Set fundus_url and fundus_key in server.cfg.',
      'There is no such player.',
    ])
    expect(
      await inGame(`
        local function tell(options) show(open(options):call('server', 'takeServerImage', 7, nil, 3000).problem) end
        tell({ player = function() return nil end })
        tell({})
        tell({ player = function() return 'claims' end })
        tell({ player = function() return 'no picture at all' end })
        tell({ player = sends_it, convars = { fundus_url = arg[1], fundus_key = arg[2], fundus_max_bytes = '10' } })`),
    ).toEqual([
      'The player has sent no picture in time.',
      'The resource screenshot-basic is not started.',
      'The player has sent no picture.',
      expect.stringContaining(' '),
      expect.stringContaining(' '),
    ])
  })

  test('is not believed from a player who sent none, and counted for each of them', async () => {
    expect(
      await inGame(`
        local game = open({ claims_to_be = 9, player = sends_it })
        show(game:call('server', 'takeServerImage', 7, nil, 3000).value ~= nil)
        local greedy = open({ player = sends_it, convars = { fundus_url = arg[1], fundus_key = arg[2], fundus_per_minute = '2' } })
        for _ = 1, 3 do
          local asked = greedy:call('client', 'takeImage')
          show(asked.value and 'taken' or asked.problem)
        end`),
    ).toEqual(['true', 'taken', 'taken', 'Too many pictures in a minute.'])
  })
})

describe('contents of the server', () => {
  test('bytes, Base64 and data URL are stored with an id that deletes', async () => {
    const lines = await inGame(`
      local game = open({})
      local base64 = game.server.globals.load(game.server.globals.LoadResourceFile('', 'fundus.lua'))().base64(picture)
      for _, content in ipairs({ picture, base64, 'data:image/webp;base64,' .. base64 }) do
        local image = game:call('server', 'uploadImage', content, { fileName = 'badge.webp' }).value
        show(image.data.url, image.data.id == image.id)
      end`)
    for (const line of lines) expect(line).toMatch(/\/badge-[0-9a-f]+\.webp true$/)
    expect(new Set(lines).size).toBe(1)
  })

  test('an address takes one file of its kind without a key, and then no more', async () => {
    const [address, wrong] = await inGame(`
      local game = open({})
      show(game:call('server', 'requestPresignedUrl', 'image').value)
      show(game:call('server', 'requestPresignedUrl', 'program').problem)`)
    expect(wrong).toBe("The kind of file must be 'image', 'video' or 'audio'.")
    const send = (type: string, body: Bun.BodyInit) =>
      fetch(address!, { method: 'PUT', headers: { 'Content-Type': type, 'X-Mime': type }, body })
    expect((await send('text/plain', 'no picture')).status).toBeGreaterThanOrEqual(400)
    expect((await send('image/webp', Bun.file(picture))).status).toBe(200)
    expect((await send('image/webp', Bun.file(picture))).status).toBe(401)
  })
})
