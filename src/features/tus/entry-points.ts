/**
 * The entry points of resumable uploads: with a token, with a ticket, and in the dashboard. All of them store
 * files like the plain upload routes.
 */

import { pathBelow } from '../../contract/paths/path-parts.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import type { SignedInCaller } from '../../http/access/callers.ts'
import { admit } from '../../http/access/library-area.ts'
import type { TicketUse } from '../../http/access/ticket.ts'
import { checkDigests, type Digest } from '../../http/bodies/digests.ts'
import { createTargetPathOf } from '../dash-upload/target-path.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'
import type { Media } from '../media/media.ts'
import { addedBytesOf, checkQuota, quotaUsageOf } from '../media/quota.ts'
import { ticketDestination } from '../tickets/tickets.route.ts'
import { storagePlanOf } from '../upload/path-and-type.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { uploadLimit } from '../upload/size-limit.ts'
import { typeOfPath } from '../upload/type-lookup.ts'
import type { Upload, UploadOptions } from '../upload/upload.ts'
import { countUnfinishedUploadsOfTicket } from './tus.store.ts'
import type { EntryPoint } from './tus.ts'

/** The media type that browsers and clients declare if they do not know the type of a file. */
const UNDECLARED_TYPE = 'application/octet-stream'

type UploadMetadata = ReadonlyMap<string, string>

/** The requested path: `pfad`, or `filename` below `ordner`; null if neither `pfad` nor `ordner` is given. */
function requestedPathIn(metadata: UploadMetadata): string | null {
  const [path, folder, name] = ['pfad', 'ordner', 'filename'].map(key => metadata.get(key))
  if (path !== undefined) return path
  if (folder === undefined) return null
  if (name === undefined) throw failure.tusMetadataInvalid('zu „ordner“ fehlt „filename“')
  return pathBelow(folder.replace(/\/$/, ''), name)
}

interface TokenUploadPlan extends UploadOptions {
  filename: string
}

function uploadOptionsIn(metadata: UploadMetadata, digests: readonly Digest[]): UploadOptions {
  const type = metadata.get('filetype')?.trim() ?? ''
  return {
    path: requestedPathIn(metadata),
    mime: type === '' || type === UNDECLARED_TYPE ? null : type,
    overwrite: metadata.get('ueberschreiben')?.trim().toLowerCase() !== 'false',
    digests,
  }
}

export function tokenEntryPoint({ upload }: { upload: Upload }): EntryPoint<Token, TokenUploadPlan> {
  return {
    ownerOf: ({ id }) => ({ token_id: id, account_id: null, ticket_id: null }),
    limitFor: upload.limitFor,
    async admit(token, metadata, digests) {
      const options = uploadOptionsIn(metadata, digests)
      await upload.admit(token, options)
      return { plan: { ...options, filename: metadata.get('filename') ?? '' }, path: options.path }
    },
    async checkLimits(tx, token, { length, path }) {
      const existingFile = path === null ? null : await findByPath(tx, path)
      checkQuota(token, await quotaUsageOf(tx, token), addedBytesOf(token, { size: length }, existingFile))
    },
    store(token, file, { filename, ...options }, transactionHook) {
      const receivedUpload = { ...file, filename, declaredType: '' }
      return upload.store(token, receivedUpload, async () => ({
        ...(await storagePlanOf(token, options, receivedUpload)),
        transactionHook,
      }))
    },
  }
}

/**
 * An upload with a ticket is like one with the ticket's token, but the ticket decides where the file goes and
 * what it may overwrite. The use of the ticket is counted when the file is stored.
 */
export function ticketEntryPoint(parts: { upload: Upload }): EntryPoint<TicketUse, TokenUploadPlan> {
  const entryPoint = tokenEntryPoint(parts)
  return {
    ownerOf: ({ id, token }) => ({ ...entryPoint.ownerOf(token), ticket_id: id }),
    limitFor: ({ token }) => entryPoint.limitFor(token),
    async admit(ticketUse, metadata, digests) {
      const requestedOptions = uploadOptionsIn(metadata, digests)
      const options = { ...requestedOptions, ...ticketDestination(ticketUse, requestedOptions) }
      await parts.upload.admit(ticketUse.token, options)
      return { plan: { ...options, filename: metadata.get('filename') ?? '' }, path: options.path }
    },
    async checkLimits(tx, ticketUse, upload) {
      if ((await countUnfinishedUploadsOfTicket(tx, ticketUse.id)) >= ticketUse.usesLeft)
        throw failure.tusTooMany(ticketUse.usesLeft)
      await entryPoint.checkLimits?.(tx, ticketUse.token, upload)
    },
    store: (ticketUse, file, plan, transactionHook) =>
      entryPoint.store(ticketUse.token, file, plan, async (tx, path) => {
        await ticketUse.claim(tx)
        await transactionHook(tx, path)
      }),
  }
}

interface SessionUploadPlan {
  path: string
  overwrite: boolean
  digests: readonly Digest[]
  action: string
}

interface SessionEntryPointParts extends Pick<FeatureParts, 'database' | 'settings' | 'newId'> {
  media: Media
  removeMetadata: RemoveMetadata
}

/**
 * The form of an action's id, by which the history groups entries. `/api/dash/upload` accepts the same form.
 */
const ACTION_ID_PATTERN = /^[\w-]{8,64}$/

export function sessionEntryPoint(
  parts: SessionEntryPointParts,
): EntryPoint<SignedInCaller, SessionUploadPlan> {
  const { database, settings, media, removeMetadata, newId } = parts
  const targetPathOf = createTargetPathOf(parts)
  return {
    ownerOf: ({ account }) => ({ token_id: null, account_id: account.id, ticket_id: null }),
    limitFor: () => uploadLimit(settings),
    async admit({ account }, metadata, digests) {
      const requestedPath = requestedPathIn(metadata) ?? metadata.get('filename')
      if (requestedPath === undefined) throw failure.tusMetadataInvalid('„pfad“ oder „filename“ fehlt')
      const overwrite = metadata.get('ueberschreiben') === 'true'
      const path = await targetPathOf(requestedPath, overwrite)
      admit(account, { paths: [path] })
      if (!overwrite && (await findByPath(database.read, path))) throw failure.pathTaken(path)
      const requestedAction = metadata.get('aktion') ?? ''
      return {
        plan: {
          path,
          overwrite,
          digests,
          action: ACTION_ID_PATTERN.test(requestedAction) ? requestedAction : newId(),
        },
        path,
      }
    },
    async store({ account, actor }, file, { digests, ...plan }, transactionHook) {
      await using _receivedStaging = file.staging
      // The rights of the account may have been reduced since the upload began.
      admit(account, { paths: [plan.path] })
      checkDigests(digests, file)
      const { staging, size, sha256 } = await removeMetadata(file)
      await using _finalStaging = staging
      const mime = typeOfPath(plan.path)
      // Awaited here, because the staged bytes are discarded when this function returns.
      return await media.store({ ...plan, staging, size, sha256, mime, actor, transactionHook })
    },
  }
}
