/** Two instances with one backup folder: one of them makes the backup, and no content is copied twice. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { store } from '../support/api.ts'
import { archivesIn, backUp, contentsIn, type Report, saveSettings } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { findCeph } from '../support/ceph.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { useFolder } from '../support/folder.ts'
import { findPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { findTool, needsTool } from '../support/tools.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const FILES = 20
const SIZE = 50_000
const target = await useFolder()
let service: Service
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres) || !findTool('radosgw', findCeph)) return
  service = await startService({ mode: 'shared', env: ADMIN_ENV })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Bytes of contents that a run has copied. */
const copiedBy = ({ plaetze, bytes }: Report) => plaetze![0]!.kopiert - bytes

test('contents are copied once, whichever instance makes the backup, also when both are asked at once', async () => {
  const token = await service.createToken()
  for (let seed = 1; seed <= FILES; seed++)
    await store(service, token, `sicher/${seed}.bin`, randomBytes(seed, SIZE))
  const session = await signIn(service)
  await saveSettings(service, session, { SICHERUNG_ZIEL: target })
  const instances = service.instances.map(
    ({ url }) => Object.create(service, { url: { value: url } }) as Service,
  )
  expect(instances).toHaveLength(2)

  const reports = await Promise.all(instances.map(each => backUp(each, session)))
  // Both join the same run, unless it ended before the other instance was asked.
  const runs = new Map(reports.map(report => [report.archiv, report]))
  expect([...runs.values()].reduce((sum, report) => sum + copiedBy(report), 0)).toBe(FILES * SIZE)
  expect(await contentsIn(target)).toHaveLength(FILES)

  for (const each of instances.toReversed()) expect(copiedBy(await backUp(each, session))).toBe(0)
  expect(await contentsIn(target)).toHaveLength(FILES)
  expect(await archivesIn(target)).toHaveLength(runs.size + 2)
})
