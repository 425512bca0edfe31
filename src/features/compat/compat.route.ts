/**
 * The compatibility routes: they take the calls of a third-party media host, so that its clients only change the
 * address.
 */
import type { z } from 'zod'
import type { Token } from '../../access/callers.ts'
import { fileAddress } from '../../contract/addresses.ts'
import {
  COMPAT_KINDS,
  type CompatKind,
  compatBase64,
  compatFileForm,
  compatForm,
  newerAnswer,
  olderAnswer,
  removedAnswer,
} from '../../contract/compat.ts'
import { failure } from '../../errors.ts'
import { refuseEncoded } from '../../http/content-encoding.ts'
import { PLAIN_JSON, type Route, route } from '../../http/routes.ts'
import { checkDelete } from '../media/media.route.ts'
import type { Media } from '../media/media.ts'
import type { Settings } from '../settings/settings.ts'
import type { Deposit, DepositedFile } from '../upload/deposit.ts'
import { type CompatBody, readCompatBase64, readCompatForm } from './compat.body.ts'
import type { Compat } from './compat.ts'

export interface CompatRouteParts {
  media: Media
  compat: Compat
  deposit: Deposit
  settings: Settings
}

const KINDS = Object.keys(COMPAT_KINDS) as CompatKind[]

type Read = (request: Request, token: Token) => Promise<CompatBody>

interface PostSpec {
  /** The kind that a file must have; null takes any kind. */
  kind: CompatKind | null
  read: Read
  summary: string
  reads: { forms: Record<string, z.ZodType> }
  answer: z.ZodType
}

export function compatRoutes({ media, compat, deposit, settings }: CompatRouteParts): Route<Token>[] {
  const address = (file: DepositedFile) => fileAddress(settings.current().PUBLIC_URL, file.path)
  const older = (file: DepositedFile) => ({ url: address(file), id: file.id, path: file.path })
  const newer = (file: DepositedFile) => ({ status: 'ok', data: { id: file.id, url: address(file) } })

  const form =
    (field: string): Read =>
    (request, token) =>
      readCompatForm(request, token, deposit, field)
  const base64: Read = (request, token) => readCompatBase64(request, token, deposit)
  const ofKind = (kind: CompatKind) => ({
    kind,
    read: form(kind),
    summary: `Speichert eine Datei der Art „${COMPAT_KINDS[kind]}“`,
    reads: { forms: { 'multipart/form-data': compatForm(kind) } },
  })

  const post = (
    path: string,
    { kind, read, ...described }: PostSpec,
    onWire: (file: DepositedFile) => object,
  ) =>
    route({
      method: 'POST',
      path,
      ...described,
      answerType: PLAIN_JSON,
      async handle({ request }, token: Token) {
        refuseEncoded(request)
        const { received, filename, folder } = await read(request, token)
        return onWire(await compat.store(token, { kind, filename, folder }, received))
      },
    })

  const remove = (path: string) =>
    route({
      method: 'DELETE',
      path,
      summary: 'Löscht die id eines Hochladens; mit der letzten geht die Datei, endgültig',
      answer: removedAnswer,
      answerType: PLAIN_JSON,
      async handle({ param }, token: Token) {
        if (!token.mayDelete) throw failure.deleteForbidden()
        const removed = await media.removeId(param('id'), { token }, path => checkDelete(token, path))
        if (!removed) throw failure.fileAbsent()
        return { status: 'ok' as const }
      },
    })

  return [
    ...KINDS.map(kind => post(`/api/${kind}`, { ...ofKind(kind), answer: olderAnswer }, older)),
    ...KINDS.map(kind => post(`/api/v2/${kind}`, { ...ofKind(kind), answer: newerAnswer }, newer)),
    post(
      '/api/v3/file',
      {
        kind: null,
        read: form('file'),
        summary: 'Speichert eine Datei beliebiger Art',
        reads: { forms: { 'multipart/form-data': compatFileForm } },
        answer: newerAnswer,
      },
      newer,
    ),
    post(
      '/api/v3/file/base64',
      {
        kind: null,
        read: base64,
        summary: 'Speichert eine Datei aus Base64-Text',
        reads: { forms: { [PLAIN_JSON]: compatBase64 } },
        answer: newerAnswer,
      },
      newer,
    ),
    remove('/api/v3/file/:id'),
    ...KINDS.map(kind => remove(`/api/${kind}/delete/:id`)),
  ]
}
