import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '../../../test/support/folder.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../../base/log.ts'
import { createRenderError } from '../../http/answers/render-error.ts'
import { createRequestIds } from '../../http/request-id.ts'
import type { Settings } from '../settings/settings.ts'
import { readBuiltFiles } from './built-files.ts'
import { contentSecurityPolicy } from './policy.ts'
import { webRoute } from './web.route.ts'

const log = createLog({ level: 'error', write: () => {}, isHumanReadable: false })
const settings = {
  current: () => ({ PUBLIC_URL: 'http://localhost:8080', FILES_HOST: '', DIENST: 'Fundus' }),
} as unknown as Settings
const routeOf = (folder: string) =>
  webRoute({
    files: readBuiltFiles(folder),
    settings,
    renderError: createRenderError({ log, ids: createRequestIds({ newId }) }),
    newId,
    isOtherRoute: () => false,
  })
const page = () => new Request('http://localhost:8080/', { headers: { Accept: 'text/html' } })

describe('a dashboard', () => {
  let opened: Awaited<ReturnType<typeof openFolder>>
  let folder = ''
  beforeEach(async () => {
    opened = await openFolder()
    folder = opened.path
  })
  afterEach(() => opened[Symbol.asyncDispose]())
  const shown = async (html: string) => {
    writeFileSync(join(folder, 'index.html'), html)
    const response = routeOf(folder)(page())!()
    return [response.status, await response.text()]
  }

  test('one that is built shows itself', async () => {
    writeFileSync(join(folder, 'stamp'), 'not for the outside')
    const answer = await shown('<!doctype html><script nonce="__nonce__"></script>')
    expect(answer).toEqual([200, expect.stringMatching(/ nonce="\w{26}">/)])
    expect([...readBuiltFiles(folder).keys()]).toEqual(['/index.html'])
  })

  test('one that an older version built would stay blank under the policy; it counts as not built', async () => {
    const answer = await shown('<!doctype html><script src="/assets/a.js"></script>')
    expect(answer).toEqual([503, expect.stringContaining('npm run build')])
  })
})

test.each(['http://a.test;x', 'http://a.test,b', "http://a'b.test"])(
  'a public address cannot add to the policy: %s',
  address => {
    const policy = contentSecurityPolicy({ PUBLIC_URL: address, FILES_HOST: 'files.test' }, 'n')
    expect(policy).toMatch(/; img-src 'self' (http:\/\/files\.test )?data: blob:; /)
  },
)
