/**
 * The same files give the same archive, whatever their order; `tar` and `unzip` read them in
 * test/long/release.test.ts.
 */
import { expect, test } from 'bun:test'
import { type Entry, tarGz, zip } from './archives.ts'

const ENTRIES: readonly Entry[] = [
  { name: 'a/fundus', bytes: Buffer.from('#!/bin/sh\n'), executable: true },
  { name: 'a/LICENSE', bytes: Buffer.from('MIT') },
  { name: 'a/src/empty.ts', bytes: new Uint8Array() },
]
const other = [...ENTRIES].reverse()
const changed = ENTRIES.map(entry =>
  entry.name === 'a/LICENSE' ? { ...entry, bytes: Buffer.from('mit') } : entry,
)

test.each([
  ['tar.gz', tarGz],
  ['zip', zip],
] as const)('%s: the order does not matter, a changed byte does', async (_, make) => {
  const archive = await make(ENTRIES)
  expect(Buffer.compare(await make(other), archive)).toBe(0)
  expect(Buffer.compare(await make(changed), archive)).not.toBe(0)
})
