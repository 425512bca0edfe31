/** The properties of a file. */
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { folderOf } from '../../state/paths.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { kindWords } from '../../ui/words.ts'
import { useFilesAddress } from '../listing/search.ts'
import type { FileAnswer } from '../types.ts'
import { detailsWords, words } from '../words.ts'
import classes from './details.module.css'

export function FileFields({ file }: { file: FileAnswer }) {
  const { folderHref } = useFilesAddress()
  const w = useWords(detailsWords)
  const { top: topName } = useWords(words)
  const kindTexts = useWords(kindWords)
  const format = useFormat()
  const folder = folderOf(file.path)
  const { breite, hoehe, laenge } = file
  return (
    <dl className={classes.fields}>
      <Field name={w.address}>
        <Anchor href={file.url} target="_blank" rel="noreferrer" className={classes.breakable}>
          {file.url}
        </Anchor>
      </Field>
      <Field name={w.folder}>
        <Anchor component={Link} href={folderHref(folder)} className={classes.breakable}>
          {folder === '' ? topName : folder}
        </Anchor>
      </Field>
      <Field name={w.retrievals}>{format.number(file.abrufe)}</Field>
      <Field name={w.lastRetrieved}>
        <RelativeTime timestamp={file.zuletzt_abgerufen} none={w.never} />
      </Field>
      <Field name={w.changed}>
        <RelativeTime timestamp={file.updated_at} />
      </Field>
      {hasMinimumRole('redaktion') && <RetentionField path={file.path} />}
      <Field name={w.size}>{format.bytes(file.size)}</Field>
      {breite !== undefined && hoehe !== undefined && (
        <Field name={w.dimensions}>{format.dimensions(breite, hoehe)}</Field>
      )}
      {laenge !== undefined && <Field name={w.length}>{format.length(laenge)}</Field>}
      {file.art === 'bilder' && <CaptureFields path={file.path} />}
      <Field name={w.kind}>{kindTexts[file.art]}</Field>
      <Field name={w.type}>{file.mime}</Field>
      {hasMinimumRole('betreiber') && (
        <Field name={w.token}>
          <TokenName id={file.token_id} />
        </Field>
      )}
      <Field name="SHA-256">
        <span className={classes.sum}>
          <code className={classes.breakable}>{file.sha256}</code>
          <CopyButton showsOnlyIcon value={file.sha256} label={w.copySum} />
        </span>
      </Field>
    </dl>
  )
}

function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Coordinates as map services expect them: decimal degrees, latitude first. */
const formatCoordinates = ({ breitengrad, laengengrad }: { breitengrad: number; laengengrad: number }) =>
  `${breitengrad.toFixed(5)}, ${laengengrad.toFixed(5)}`

/** When and where a picture was taken, and with which camera, as far as its EXIF data contains this. */
function CaptureFields({ path }: { path: string }) {
  const w = useWords(detailsWords)
  const format = useFormat()
  const { aufgenommen, kamera, ort } = useGet(`aufnahme/${path}`).data ?? {}
  return (
    <>
      {/* The time of the camera has no time zone. It is both parsed and formatted in the zone of the
         browser, so the time is shown as the camera recorded it. */}
      {aufgenommen && <Field name={w.taken}>{format.moment(Date.parse(aufgenommen))}</Field>}
      {kamera && <Field name={w.camera}>{kamera}</Field>}
      {ort && <Field name={w.place}>{formatCoordinates(ort)}</Field>}
    </>
  )
}

/**
 * Shows when a retention rule will move the file to the trash, or that a rule exempts it; nothing if no rule
 * applies.
 */
function RetentionField({ path }: { path: string }) {
  const w = useWords(detailsWords)
  const { top: topName } = useWords(words)
  const format = useFormat()
  const { regel, endet_am } = useGet(`fristen/datei/${path}`).data ?? {}
  if (!regel) return null
  const folder = regel.ordner || topName
  const formattedDays = format.number(regel.tage ?? 0)
  return (
    <Field name={w.ends}>
      {endet_am === null || endet_am === undefined ? w.endsNever : format.moment(endet_am)}{' '}
      <Anchor component={Link} href={PAGES.retention} size="sm">
        {regel.tage === null
          ? w.endsExempt(folder)
          : regel.ab === 'abgerufen'
            ? w.endsUnused(regel.tage, formattedDays, folder)
            : w.endsStored(regel.tage, formattedDays, folder)}
      </Anchor>
    </Field>
  )
}

function TokenName({ id }: { id: string | undefined }) {
  const w = useWords(detailsWords)
  const { data: tokens } = useGet('tokens', { enabled: id !== undefined })
  if (id === undefined) return w.noToken
  if (!tokens) return null
  return tokens.find(token => token.id === id)?.name ?? w.tokenGone
}
