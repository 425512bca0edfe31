import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderError } from '../../http/render.ts'
import { createRequestIds } from '../../http/request-id.ts'
import { newId } from '../../ids.ts'
import { createLog } from '../../log.ts'
import type { Settings } from '../settings/settings.ts'
import { readBuiltFiles } from './built.ts'
import { contentPolicy } from './policy.ts'
import { webRoute } from './web.route.ts'

const log = createLog({ level: 'error', write: () => {}, readable: false })
const settings = {
  current: () => ({ PUBLIC_URL: 'http://localhost:8080', FILES_HOST: '' }),
} as unknown as Settings
const routeOf = (folder: string) =>
  webRoute({
    files: readBuiltFiles(folder),
    settings,
    renderError: createRenderError({ log, ids: createRequestIds({ newId }) }),
    newId,
    isTaken: () => false,
  })
const page = () => new Request('http://localhost:8080/', { headers: { Accept: 'text/html' } })

describe('a dashboard', () => {
  test('one that is built shows itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fundus-web-'))
    try {
      writeFileSync(join(folder, 'index.html'), '<!doctype html>')
      writeFileSync(join(folder, 'stamp'), 'not for the outside')
      const response = routeOf(folder)(page())!
      expect([response.status, await response.text()]).toEqual([200, '<!doctype html>'])
      expect([...readBuiltFiles(folder).keys()]).toEqual(['/index.html'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test.each(['http://a.test;x', 'http://a.test,b', "http://a'b.test"])(
  'a public address cannot add to the policy: %s',
  address => {
    expect(contentPolicy(address, 'n')).toContain("img-src 'self' data: blob:")
  },
)
