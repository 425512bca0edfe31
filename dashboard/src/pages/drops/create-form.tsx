/** The form that creates a drop link. It asks for the folder, the limits and a note for the visitors. */
import { MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { KINDS, type Kind } from '../../../../src/contract/paths/kinds.ts'
import { DROP_DEFAULT_FILES } from '../../../../src/contract/values/input-limits.ts'
import { MEGABYTE } from '../../../../src/contract/values/units.ts'
import { post } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { FolderField } from '../../ui/forms/folder-field.tsx'
import { trimFolder } from '../../ui/forms/folder-list.ts'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { kindsInSentence } from '../tokens/words.ts'
import { words } from './words.ts'

const INITIAL_VALUES = { ordner: '', hinweis: '', groesse: '', anzahl: String(DROP_DEFAULT_FILES), bis: '' }

/**
 * The typed number, with a decimal comma or point; NaN for any other text. Null for an empty field, for which
 * the service uses its own limit.
 */
const parseNumber = (text: string) => (text.trim() === '' ? null : Number(text.replace(',', '.')))
const isValidLimit = (text: string) => parseNumber(text) === null || Number(parseNumber(text)) > 0

export function CreateDropForm({ onDone }: { onDone(): void }) {
  const w = useWords(words)
  const kindWords = useWords(kindsInSentence)
  const refresh = useRefresh()
  const [kinds, setKinds] = useState<Kind[]>([])
  const { field, form, set } = useTextForm({
    initialValues: INITIAL_VALUES,
    check: ({ ordner, groesse, anzahl }) => ({
      ordner: trimFolder(ordner) === '' && w.folderMissing,
      groesse: !isValidLimit(groesse) && w.notNumber,
      anzahl: !isValidLimit(anzahl) && w.notNumber,
    }),
    send: ({ ordner, hinweis, groesse, anzahl, bis }) =>
      post('abgaben', {
        body: {
          ordner: trimFolder(ordner),
          hinweis,
          max_bytes:
            parseNumber(groesse) === null ? null : Math.round(Number(parseNumber(groesse)) * MEGABYTE),
          arten: kinds.length === 0 ? null : kinds,
          gueltig_bis: bis === '' ? null : new Date(`${bis}T23:59:59`).getTime(),
          anzahl: parseNumber(anzahl),
        },
      }),
    onSent() {
      void refresh('abgaben')
      onDone()
    },
  })
  const textInputProps = (name: keyof typeof INITIAL_VALUES) => {
    const { value, error } = field(name)
    return {
      value,
      error,
      onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
    }
  }
  const folderField = field('ordner')
  return (
    <Form {...form} submit={w.make} onCancel={onDone}>
      <FolderField
        label={w.folder}
        description={w.folderHint}
        required
        data-autofocus
        value={folderField.value}
        onChange={ordner => set({ ordner })}
        error={folderField.error}
      />
      <Textarea label={w.note} autosize minRows={2} maxLength={1000} {...textInputProps('hinweis')} />
      <MultiSelect
        label={w.kinds}
        description={w.kindsHint}
        data={KINDS.map(kind => ({ value: kind, label: kindWords[kind] }))}
        value={kinds}
        onChange={value => setKinds(value as Kind[])}
      />
      <TextInput label={w.size} inputMode="decimal" {...textInputProps('groesse')} />
      <TextInput label={w.count} inputMode="numeric" {...textInputProps('anzahl')} />
      <TextInput label={w.until} type="date" {...textInputProps('bis')} />
    </Form>
  )
}
