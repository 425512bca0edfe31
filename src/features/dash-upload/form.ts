/** Reads the dashboard's upload form. All files are staged first, since the text fields may follow them. */
import { UPLOAD_MAX_FILES, uploadFields } from '../../contract/upload/ingest.ts'
import { ZIP_MAX_BYTES, ZIP_MAX_UPLOAD_BYTES } from '../../contract/upload/zip-limits.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { validateInput } from '../../http/bodies/json.ts'
import { FILE_FIELD, MAX_FORM_OVERHEAD, missingFileFailure, readForm } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import { receiveOrRefuse } from '../upload/receive-bytes.ts'

export interface StagedBytes {
  staging: Staging
  size: number
  sha256: string
}

export interface SentFile {
  /** The name that the client gave the file, including folders. */
  name: string
  /** True if the file is to be unpacked, not stored. */
  isArchive: boolean
  /** The staged bytes, or the reason why the file is refused. */
  bytes: StagedBytes | Failure
}

interface SentForm extends AsyncDisposable {
  /** The target folder, valid and in lower case; empty for the top folder. */
  folder: string
  overwrite: boolean
  /** Whether invalid names in archives are cleaned instead of refused. */
  shouldCleanNames: boolean
  /**
   * The id under which the history groups the files of several requests; undefined if the client sent none.
   */
  actionId: string | undefined
  files: readonly SentFile[]
}

/**
 * `parts` is the maximum number of parts: it leaves room for text fields besides the files. `fieldSize` is
 * the maximum number of bytes of a text field: enough for the list of all paths at their maximum length.
 */
const FORM_LIMITS = { parts: UPLOAD_MAX_FILES + 100, fieldSize: MEGABYTE }

const ARCHIVE_LIMIT: SizeLimit = {
  bytes: ZIP_MAX_UPLOAD_BYTES,
  createError: () => failure.zipTooLarge(ZIP_MAX_BYTES),
}

/**
 * The size limit of a whole form: the maximum number of files, each of the maximum size, and an allowance for
 * everything else.
 */
function formLimit(limit: SizeLimit): SizeLimit {
  const largestSize = Math.max(limit.bytes, ARCHIVE_LIMIT.bytes)
  return { ...limit, bytes: UPLOAD_MAX_FILES * largestSize + MAX_FORM_OVERHEAD }
}

/**
 * Reads the form; the caller must dispose of the result. If it rejects, nothing stays staged. `limit`: the
 * size limit of each file that is not an archive.
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
          const isArchive = /\.zip$/i.test(name)
          files.push({
            name,
            isArchive,
            bytes: await stage(storage, source, isArchive ? ARCHIVE_LIMIT : limit),
          })
        },
      },
      {
        sizeLimit: formLimit(limit),
        limits: FORM_LIMITS,
        keepFolders: true,
        isFileField: name => name === FILE_FIELD,
      },
    )
    if (files.length === 0) throw missingFileFailure(fields, FILE_FIELD)
    const {
      ordner: folder,
      ueberschreiben,
      namen_anpassen,
      aktion: action,
      pfade,
    } = validateInput(uploadFields, Object.fromEntries(fields))
    return {
      folder,
      overwrite: ueberschreiben === 'true',
      shouldCleanNames: namen_anpassen === 'true',
      actionId: action,
      files: applyPathList(files, pfade),
      [Symbol.asyncDispose]: discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}

async function stage(
  storage: Storage,
  source: AsyncIterable<Uint8Array>,
  limit: SizeLimit,
): Promise<StagedBytes | Failure> {
  const receivedFile = await receiveOrRefuse(storage, source, limit)
  if (receivedFile instanceof Failure) return receivedFile
  const { staging, size, sha256 } = receivedFile
  // Moves the bytes of a short file from memory to disk, because all files of the form are kept until the
  // whole form is read.
  await staging.file()
  return { staging, size, sha256 }
}

/**
 * Replaces the file names by `paths`, which the form may list in a separate field: for the files of a chosen
 * folder, a browser sends only the last segment of each path as the file name. A file whose path in the list
 * is empty keeps its name.
 */
function applyPathList(
  files: readonly SentFile[],
  paths: readonly string[] | undefined,
): readonly SentFile[] {
  if (paths === undefined) return files
  if (paths.length !== files.length) throw failure.pathListUnequal()
  return files.map((file, index) => ({ ...file, name: paths[index] || file.name }))
}
