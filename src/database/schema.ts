/** The tables as types for Kysely. Times are Unix milliseconds. The migrations explain the columns. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ActorKind } from '../contract/accounts/actors.ts'
import type { AdministrationOccurrence } from '../contract/accounts/administration.ts'
import type { Role } from '../contract/accounts/roles.ts'
import type { LimitColumns } from '../contract/accounts/token-limits.ts'
import type { PeriodStart, TrashReason } from '../contract/files/choices.ts'
import type { ServiceEvent } from '../contract/files/events.ts'
import type { Occurrence } from '../contract/files/history.ts'
import type { Kind } from '../contract/paths/kinds.ts'
import type { Occasion } from '../contract/service/occasions.ts'
import type { DerivedColumns, DerivedPart } from '../storage/derived-parts.ts'

/**
 * State of a file's variant, preview and dimensions. `pending`: still to be made, or to be tried again;
 * `failed`: given up, until maintenance tries again.
 */
export type DerivedState = 'pending' | 'done' | 'failed'

type EncoderColumns = Record<`${DerivedPart}_encoder`, string | null>

/**
 * Why a file has no picture in one of the configured sizes. `damaged`: the file is damaged; `undecodable`:
 * too large or of an unknown format; `costly`: decoding takes too long or too much memory; `lost`: the
 * decoder process died, perhaps not because of this picture.
 */
export type SizeProblem = 'damaged' | 'undecodable' | 'costly' | 'lost'

/**
 * A file in the library. For the columns of derived files, such as `preview_size`, see
 * `src/storage/derived-parts.ts`.
 */
export interface MediaTable extends DerivedColumns, EncoderColumns {
  nr: Generated<number>
  id: string
  path: string
  folder: GeneratedAlways<string>
  /**
   * The sort key of the path; see `natural-key.ts`. The database computes it if an insert does not provide
   * it.
   */
  natural_key: Generated<string>
  object: string
  size: number
  sha256: string
  mime: string
  kind: Kind
  token_id: string | null
  created_at: number
  updated_at: number
  /** When the content came to this path by renaming, moving or restoring; null: it was uploaded to it. */
  placed_at: number | null
  /** When the file was last restored from the trash; null: never. */
  restored_at: number | null
  /**
   * When variant or preview were last made, even if there was nothing to make; null: not yet for this
   * content.
   */
  derived_at: number | null
  width: number | null
  height: number | null
  duration: number | null
  derived: DerivedState
  derive_attempts: Generated<number>
  /** No longer used, but still written by workers of an earlier version that run at the same time. */
  derive_until: number | null
  retrievals: Generated<number>
  retrieved_at: number | null
}

export interface TokenTable extends LimitColumns {
  id: string
  name: string
  hash: string
  created_at: number
  used_at: number | null
}

/** An upload ticket; see `contract/upload/tickets.ts`. */
export interface TicketTable {
  /** SHA-256 of the secret in the ticket's address. */
  hash: string
  token_id: string
  path: string | null
  folder: string | null
  max_bytes: number | null
  /** JSON list of the allowed kinds; null: all kinds that the token allows. */
  kinds: string | null
  overwrite: number
  /** Always above zero: the last use removes the row. */
  uses_left: number
  valid_until: number
}

/** Objects that a transaction stopped using, and when they may be removed. */
export interface DiscardTable {
  nr: Generated<number>
  object: string
  due_at: number
}

export interface AccountTable {
  id: string
  name: string
  name_key: string
  password: string
  created_at: number
  signed_in_at: number | null
  role: Role
  /** A list as JSON; null: all. */
  folders: string | null
  /**
   * The external provider with which the person signs in, and the provider's own id of the person; null: a
   * local account.
   */
  origin: ColumnType<string | null, string | null | undefined>
  subject: ColumnType<string | null, string | null | undefined>
}

export interface SessionTable {
  hash: string
  account_id: string
  created_at: number
  expires_at: number
  /** The time, address and program of the session's last use; null: unknown. */
  seen_at: number | null
  address: string | null
  program: string | null
}

/** An invitation to create an account. It is not accepted yet, and may have expired. */
export interface InvitationTable {
  id: string
  code_hash: string
  role: Role
  /** JSON list of folders; null: all. */
  folders: string | null
  created_at: number
  created_by: string
  expires_at: number
}

/** The authenticator app of an account. */
export interface TotpTable {
  account_id: string
  /** Encrypted with the key of the instance. */
  secret: string
  created_at: number
  /** Null until the first code was entered; until then signing in does not ask for a code. */
  confirmed_at: number | null
  /** The time step (RFC 6238) of the last code that was accepted. */
  last_step: number
}

export interface PasskeyTable {
  id: string
  account_id: string
  name: string
  /** The credential id that the authenticator chose, base64url. */
  credential: string
  /** The COSE key, base64url. */
  public_key: string
  /** How the authenticator can be reached, as JSON: a hint for browsers. */
  transports: string
  counter: number
  created_at: number
  used_at: number | null
}

/** Failed sign-ins by name and client. */
export interface LoginLockTable {
  name_hash: string
  client: string
  failures: number
  locked_until: number
  forget_at: number
}

/** A single row while no account exists: the code with which the first account is created. */
export interface SetupTable {
  code: string
  created_at: number
}

export interface HistoryTable {
  nr: Generated<number>
  at: number
  what: Occurrence
  path: string
  who: string
  who_kind: ActorKind
  bytes: number
  details: string | null
  /** The id that all entries of one action share; null: the entry belongs to no action. */
  action: string | null
  /** 1 if an earlier entry has the same action and `what`. */
  follows: Generated<number>
}

/** A file's picture in one of the configured sizes, or why there is none. See `features/picture-sizes/`. */
export interface PictureSizeTable {
  nr: Generated<number>
  /**
   * The content's id, as in `media`. A trigger removes the rows when the file is deleted or gets other
   * content.
   */
  source: string
  /**
   * Geometry, format and encoder. A problem that affects every size is stored once, with a `spec` that stands
   * for all sizes.
   */
  spec: string
  /** Null if there is a `problem`; `type` and `sha256` are then null too. */
  object: string | null
  size: number
  type: string | null
  sha256: string | null
  problem: SizeProblem | null
  made_at: number
  /** When the picture was last requested, approximately. */
  asked_at: number
}

/** A file in the trash: most columns of its former row in `media`, and who removed it, when and why. */
export interface TrashTable
  extends Omit<
    MediaTable,
    | 'folder'
    | 'natural_key'
    | 'placed_at'
    | 'restored_at'
    | 'derived_at'
    | 'derived'
    | 'derive_attempts'
    | 'derive_until'
    | keyof EncoderColumns
    | 'retrievals'
  > {
  media_nr: number | null
  retrievals: number
  deleted_at: number
  deleted_by: string
  removal_reason: Generated<TrashReason>
}

export interface ShareTable {
  key: string
  folder: string
  /** Null: the link does not expire. */
  valid_until: number | null
  created_at: number
  created_by: string
}

/** A drop link; see `contract/files/drops.ts`. */
export interface DropLinkTable {
  key: string
  folder: string
  note: string | null
  max_bytes: number | null
  /** A list as JSON; null: all. */
  kinds: string | null
  valid_until: number | null
  max_files: number
  /** The number and bytes of the files that were uploaded so far. */
  files: number
  bytes: number
  created_at: number
  created_by: string
}

/** A retention rule; see `contract/files/retention.ts`. */
export interface RetentionRuleTable {
  /** The position in the list. */
  nr: number
  folder: string
  /** Null: the files of this folder are exempt, even if a rule applies to a folder above it. */
  days: number | null
  start: PeriodStart | null
}

export interface AdministrationTable {
  nr: Generated<number>
  at: number
  who: string
  who_kind: ActorKind
  what: AdministrationOccurrence
  old: string | null
  new: string | null
}

/** Which process may do a task, and until when. */
export interface LeaseTable {
  task: string
  holder: string
  /** Unix milliseconds; from this time on the lease is free. */
  until: number
}

/** The uploads since the last webhook message about uploads. At most one row. */
export interface UploadNoticeTable {
  nr: number
  files: number
  bytes: number
  /** `senders` and `paths` are lists; each entry has a newline before and after it. */
  senders: string
  paths: string
  due_at: number
}

/** A message to the chat webhook that is not delivered yet. */
export interface MessageTable {
  nr: Generated<number>
  occasion: Occasion
  text: string
  created_at: number
  due_at: number
  attempts: Generated<number>
}

/** The time that the clock showed at its last check; see `jobs/clock-watch.ts`. At most one row. */
export interface ClockTable {
  seen_at: number
  doubted_since: number | null
}

/**
 * The applied migrations, written only by `migrate.ts`. The earliest time is when this database was created,
 * for example by a restore.
 */
export interface MigrationTable {
  name: string
  applied_at: number
}

/** A single row, written when the database is created. */
export interface InstanceTable {
  id: string
  /** When the database was found to lack committed changes; null if none are known to be missing. */
  older_since: Generated<number | null>
}

/** A process that uses this database, on PostgreSQL only. Both times are by the database's clock. */
export interface RunningProcessTable {
  id: string
  host: string
  started_at: number
  seen_at: number
}

/** A single row: the progress of the integrity check, which slowly reads every object. */
export interface IntegrityProgressTable {
  place: FileTableName
  after_nr: number
  credit: number
  ran_at: number
  round_began_at: number | null
  round_files: number
  round_bytes: number
  completed_at: number | null
}

/** The tables of stored files: in the library, and in the trash. */
export type FileTableName = 'media' | 'trash'

/** What is wrong with an object, compared with its row. */
export type FindingReason = 'missing' | 'size' | 'content' | 'unreadable'

/** What is wrong with a stored file; `id` is the id of its content. */
export interface FindingTable {
  id: string
  reason: FindingReason
  found_at: number
  looked_at: number
  told: number
}

/** The progress of a client that repeatedly calls the route that remakes derived files. */
export interface RemakeProgressTable {
  task: string
  after_nr: number
  done: number
  called_at: number
}

/** When each daily job last began, if its results do not show that. */
export interface JobRunTable {
  job: string
  begun_at: number
}

/** A run of the backup; the newest row is the current or the last run. */
export interface BackupTable {
  nr: Generated<number>
  started_at: number
  step: string
  done: number
  total: number | null
  /** The report as JSON; null while the backup runs. */
  report: string | null
  /** 1 if the backup succeeded, otherwise 0; null while it runs. */
  ok: number | null
  /**
   * JSON list of the backup targets that the run used: paths of folders (empty: the default folder) and names
   * of buckets. Null while the backup runs, and for runs of earlier versions.
   */
  places: Generated<string | null>
}

/** A rehearsed restore that has ended. */
export interface RehearsalTable {
  nr: Generated<number>
  /** The report as JSON. */
  report: string
}

/** The progress of maintenance tasks. (The progress of a backup is in `backup`.) */
export interface ProgressTable {
  task: Extract<ServiceEvent, { name: 'fortschritt' }>['data']['aufgabe']
  step: number
  done: number
  total: number | null
  /** 0 or 1. */
  ended: number
}

/** An upload that arrives in several requests; see migration 0056. */
export interface PartialUploadTable {
  id: string
  token_id: string | null
  account_id: string | null
  ticket_id: string | null
  length: number
  received: Generated<number>
  object: string
  state: Generated<string>
  metadata: string
  plan: string
  path: string | null
  finished: Generated<number>
  created_at: number
  expires_at: number
  holder: string | null
  held_until: Generated<number>
  wanted: Generated<number>
}

export interface Schema {
  partial_upload: PartialUploadTable
  retention_rule: RetentionRuleTable
  clock: ClockTable
  progress: ProgressTable
  backup: BackupTable
  rehearsal: RehearsalTable
  migration: MigrationTable
  instance: InstanceTable
  running: RunningProcessTable
  /**
   * `id`: the content id of a file in an earlier state that a restore or `migrate` has kept (PostgreSQL
   * only). The file's objects are still in the store.
   */
  kept: { id: string }
  upload_notice: UploadNoticeTable
  message: MessageTable
  /** A single row. `told`: the level (`DISK_LEVELS`) that the last message reported; 0: enough space. */
  disk_watch: { told: number }
  lease: LeaseTable
  scrub: IntegrityProgressTable
  finding: FindingTable
  drive: RemakeProgressTable
  job_run: JobRunTable
  history: HistoryTable
  /** `value`: the setting as JSON. */
  setting: { name: string; value: string }
  administration: AdministrationTable
  /** `day`: a date in the time zone of the service, such as `2026-11-15`, here and in the next two tables. */
  retrieval_day: { day: string; retrievals: number }
  retrieval_file_day: { media_nr: number; day: string; retrievals: number }
  /** Files and bytes that were stored when the day began. */
  usage_day: { day: string; files: number; bytes: number }
  folder_usage: { folder: string; kind: Kind; files: number; bytes: number }
  trash: TrashTable
  /** Sums over all rows of `trash`, in a single row. The next table has a single row, too. */
  trash_total: { files: number; bytes: number }
  unretrieved_total: { files: number }
  share: ShareTable
  drop_link: DropLinkTable
  media: MediaTable
  picture_size: PictureSizeTable
  token: TokenTable
  ticket: TicketTable
  token_usage: { token_id: string; files: number; bytes: number }
  discard: DiscardTable
  relocation: { media_nr: number }
  /** All valid upload ids of content that was uploaded more than once. */
  upload_id: { id: string; content_id: string }
  account: AccountTable
  session: SessionTable
  invitation: InvitationTable
  totp: TotpTable
  /** `hash`: SHA-256 of the code. A used code is deleted. */
  emergency_code: { account_id: string; hash: string }
  passkey: PasskeyTable
  /** `place`: the position in the account's list, from 0, here and in the next table. */
  pinned_folder: { account_id: string; place: number; folder: string }
  saved_filter: { account_id: string; place: number; name: string; query: string }
  /**
   * Challenges that a passkey has answered, and states of external sign-ins that have returned; each is
   * accepted once. `hash`: SHA-256 of the challenge or state.
   */
  spent_challenge: { hash: string; expires_at: number }
  login_lock: LoginLockTable
  setup: SetupTable
}
