/**
 * Reads the upload form of the dashboard. All files are staged first, since the text fields may follow the
 * files.
 */
import { UPLOAD_MAX_FILES, uploadFields } from '../../contract/upload/ingest.ts'
import { ZIP_MAX_BYTES, ZIP_MAX_SENT } from '../../contract/values/limits.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { checked } from '../../http/bodies/json.ts'
import { FORM_ALLOWANCE, missingFile, readForm } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import { receive } from '../upload/intake.ts'

export interface StagedBytes {
  staging: Staging
  size: number
  sha256: string
}

export interface SentFile {
  /** The name of the file at the client, with the folders it lay in. */
  name: string
  /** True when the file is to be unpacked, not stored. */
  archive: boolean
  /** The staged bytes, or the reason why they cannot be used. */
  bytes: StagedBytes | Failure
}

interface SentForm extends AsyncDisposable {
  /** Valid and in lower case; empty for the top folder. */
  folder: string
  overwrite: boolean
  /** The names of files in archives are to be repaired. */
  repairNames: boolean
  /** The id under which the history keeps several requests together. */
  action: string | undefined
  files: readonly SentFile[]
}

const FILE_FIELD = 'file'

/**
 * `parts` leaves room for fields beside the files. `fieldSize` leaves room for the list of paths, at their
 * full length for as many files as there may be.
 */
const FORM_LIMITS = { parts: UPLOAD_MAX_FILES + 100, fieldSize: MEGABYTE }

const ARCHIVE_LIMIT: SizeLimit = {
  bytes: ZIP_MAX_SENT,
  exceeded: () => failure.zipTooLarge(ZIP_MAX_BYTES),
}

/** As many files as there may be, each of them as large as a file may be. */
function formLimit(limit: SizeLimit): SizeLimit {
  const largest = Math.max(limit.bytes, ARCHIVE_LIMIT.bytes)
  return { ...limit, bytes: UPLOAD_MAX_FILES * largest + FORM_ALLOWANCE }
}

/**
 * Leaves nothing staged when it rejects. The caller disposes of the form. `limit` is the size limit of each
 * plain file.
 */
export async function readUploadForm(
  request: IncomingRequest,
  { storage, limit }: { storage: Storage; limit: SizeLimit },
): Promise<SentForm> {
  const files: SentFile[] = []
  const discard = async () => {
    for (const { bytes } of files) if (!(bytes instanceof Failure)) await bytes.staging.discard()
  }
  try {
    const fields = await readForm(
      request,
      {
        wants: ({ field }) => field === FILE_FIELD,
        async receive({ filename: name }, source) {
          if (files.length === UPLOAD_MAX_FILES) throw failure.tooManyFiles(UPLOAD_MAX_FILES)
          const archive = /\.zip$/i.test(name)
          files.push({ name, archive, bytes: await stage(storage, source, archive ? ARCHIVE_LIMIT : limit) })
        },
      },
      {
        most: formLimit(limit),
        limits: FORM_LIMITS,
        keepFolders: true,
        isFileField: name => name === FILE_FIELD,
      },
    )
    if (files.length === 0) throw missingFile(fields, FILE_FIELD)
    const {
      ordner: folder,
      ueberschreiben,
      namen_anpassen,
      aktion: action,
      pfade,
    } = checked(uploadFields, Object.fromEntries(fields))
    return {
      folder,
      overwrite: ueberschreiben === 'true',
      repairNames: namen_anpassen === 'true',
      action,
      files: withPaths(files, pfade),
      [Symbol.asyncDispose]: discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Errors that concern one file alone; every other error concerns the whole form. */
const SINGLE_FILE_ERRORS = ['upload-too-large', 'zip-too-large', 'body-empty']

async function stage(
  storage: Storage,
  source: AsyncIterable<Uint8Array>,
  limit: SizeLimit,
): Promise<StagedBytes | Failure> {
  const chunks = source[Symbol.asyncIterator]()
  try {
    // The iterator is handed on without its `return`, so that giving up on this part leaves the parser able
    // to reach the next part.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
    const { staging, size, sha256 } = await receive(storage, kept, limit)
    // Many files wait until the whole form has arrived, so they do not wait in memory.
    await staging.file()
    return { staging, size, sha256 }
  } catch (error) {
    if (!(error instanceof Failure && SINGLE_FILE_ERRORS.includes(error.code))) throw error
    while (!(await chunks.next()).done);
    return error.code === 'body-empty' ? failure.fileEmpty() : error
  }
}

/**
 * Replaces names by the paths of the form: a browser sends only the last part of a name, and the folders of a
 * chosen directory come in a separate list.
 */
function withPaths(files: readonly SentFile[], paths: readonly string[] | undefined): readonly SentFile[] {
  if (paths === undefined) return files
  if (paths.length !== files.length) throw failure.pathListUnequal()
  return files.map((file, at) => ({ ...file, name: paths[at] || file.name }))
}
