/**
 * Every time that the database stores, and what prevents harm if the clock was wrong (docs/architecture.md).
 * A column that is not listed here fails the test: whoever adds one decides how it is compared with the
 * clock.
 */
import { expect, test } from 'bun:test'

/** Only shown or sorted by, never compared with the clock. */
const SHOWN = 'shown'
/** A time in the future: one beyond the longest possible one does not count, or is shortened. */
const BOUNDED = 'bounded'
/** A time in the past: one in the future does not count. */
const PAST = 'past'
/** Decides what is removed by age: `clockWatch.mayRemoveByAge` is asked first. */
const GUARDED = 'guarded'
/** Entered by the operator as a date, and used as entered. */
const GIVEN = 'given'

const STORED_TIMES = new Map([
  ['MediaTable.created_at', SHOWN],
  // The retention rules use it, as well as `restored_at` and `retrieved_at`.
  ['MediaTable.updated_at', GUARDED],
  // `Last-Modified` in the future is sent as the current time; conditional requests by date then fetch once
  // too often.
  ['MediaTable.placed_at', SHOWN],
  ['MediaTable.restored_at', GUARDED],
  ['MediaTable.derived_at', SHOWN],
  // Written by earlier versions; nothing reads it.
  ['MediaTable.derive_until', SHOWN],
  ['MediaTable.retrieved_at', GUARDED],
  ['TokenTable.valid_until', GIVEN],
  ['TokenTable.created_at', SHOWN],
  ['TokenTable.used_at', SHOWN],
  // Not valid for longer than the longest ticket; removed only while the clock is trusted.
  ['TicketTable.valid_until', BOUNDED],
  ['DiscardTable.due_at', BOUNDED],
  ['AccountTable.created_at', SHOWN],
  ['AccountTable.signed_in_at', SHOWN],
  ['SessionTable.created_at', SHOWN],
  // Capped at the longest session lifetime; rows are removed only while the clock is trusted.
  ['SessionTable.expires_at', BOUNDED],
  // A time in the future is replaced at the next use.
  ['SessionTable.seen_at', PAST],
  ['InvitationTable.created_at', SHOWN],
  // Capped at the longest invitation lifetime; rows are removed only while the clock is trusted.
  ['InvitationTable.expires_at', BOUNDED],
  ['TotpTable.created_at', SHOWN],
  ['TotpTable.confirmed_at', SHOWN],
  ['PasskeyTable.created_at', SHOWN],
  ['PasskeyTable.used_at', SHOWN],
  ['LoginLockTable.locked_until', BOUNDED],
  ['LoginLockTable.forget_at', BOUNDED],
  ['SetupTable.created_at', SHOWN],
  ['HistoryTable.at', SHOWN],
  ['TrashTable.deleted_at', GUARDED],
  ['ShareTable.created_at', SHOWN],
  // A lost decoder is tried again some minutes later, also if its time lies in the future.
  ['PictureSizeTable.made_at', PAST],
  ['PictureSizeTable.asked_at', SHOWN],
  ['DropLinkTable.valid_until', GIVEN],
  ['ShareTable.valid_until', GIVEN],
  ['DropLinkTable.created_at', SHOWN],
  ['AdministrationTable.at', SHOWN],
  ['LeaseTable.until', BOUNDED],
  ['UploadNoticeTable.due_at', BOUNDED],
  // A message that cannot be sent is given up after a day; if the clock jumps ahead it is given up sooner,
  // and the log says so.
  ['MessageTable.created_at', SHOWN],
  ['MessageTable.due_at', BOUNDED],
  ['ClockTable.seen_at', PAST],
  ['ClockTable.doubted_since', PAST],
  // A missing backup is excused during the first hours of an instance.
  ['MigrationTable.applied_at', SHOWN],
  ['InstanceTable.older_since', SHOWN],
  // Compared only with the database's own clock.
  ['RunningProcessTable.started_at', SHOWN],
  ['RunningProcessTable.seen_at', PAST],
  ['IntegrityProgressTable.ran_at', PAST],
  ['IntegrityProgressTable.round_began_at', SHOWN],
  ['IntegrityProgressTable.completed_at', SHOWN],
  ['FindingTable.found_at', SHOWN],
  ['FindingTable.looked_at', PAST],
  ['RemakeProgressTable.called_at', PAST],
  ['JobRunTable.begun_at', PAST],
  ['BackupTable.started_at', PAST],
  ['PartialUploadTable.created_at', SHOWN],
  // Capped at the longest upload lifetime; rows are removed only while the clock is trusted.
  ['PartialUploadTable.expires_at', BOUNDED],
  ['PartialUploadTable.held_until', BOUNDED],
])

const TIME = /^ {2}(\w*(?:_at|until|since)|at): /

test('every stored time is known, with what keeps a wrong clock from doing harm', async () => {
  const found: string[] = []
  let table = ''
  for (const line of (await Bun.file('src/database/schema.ts').text()).split('\n')) {
    table = /^export interface (\w+)/.exec(line)?.[1] ?? table
    const column = TIME.exec(line)?.[1]
    if (column) found.push(`${table}.${column}`)
  }
  // The columns of a token's limits are in their table.
  const limits = await Bun.file('src/contract/accounts/token-limits.ts').text()
  for (const [, column] of limits.matchAll(/column: '(\w+)',.* kind: 'time' /g))
    found.push(`TokenTable.${column}`)
  expect(found.sort()).toEqual([...STORED_TIMES.keys()].sort())
})
