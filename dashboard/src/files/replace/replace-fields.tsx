/**
 * The fields of search and replace: search text, replacement, a switch for regular expressions, and scope.
 */
import { SegmentedControl, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useTexts, useWords } from '../../language/language.tsx'
import { useErrorText } from '../../ui/error-notice.tsx'
import { words } from './words.ts'

export interface ReplaceValues {
  suche: string
  ersatz: string
  regex: boolean
  /** Whether to search all folders instead of only the folder of the page or dialog. */
  searchesAllFolders: boolean
}

export interface ReplaceFieldsProps {
  fields: ReplaceValues
  onChange(changes: Partial<ReplaceValues>): void
  folder: string
  /** Number of selected files; null if the target is a folder. */
  selectedCount: number | null
  error: Error | null
}

/**
 * Switches off autocompletion, automatic capitals, autocorrection and spell checking: paths are not prose.
 */
const NO_AUTOCORRECTION = {
  autoComplete: 'off',
  autoCapitalize: 'off',
  autoCorrect: 'off',
  spellCheck: false,
} as const

export function ReplaceFields({ fields, onChange, folder, selectedCount, error }: ReplaceFieldsProps) {
  const w = useWords(words)
  const errorTextOf = useErrorText()
  const { suche, ersatz, regex } = fields
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          {...NO_AUTOCORRECTION}
          data-autofocus
          label={w.search}
          description={w.searchHint}
          value={suche}
          error={error ? errorTextOf(error) : null}
          onChange={event => onChange({ suche: event.currentTarget.value })}
        />
        <TextInput
          {...NO_AUTOCORRECTION}
          label={w.by}
          description={regex ? w.byHintExpression : w.byHint}
          value={ersatz}
          onChange={event => onChange({ ersatz: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Switch
        label={w.expression}
        checked={regex}
        onChange={event => onChange({ regex: event.currentTarget.checked })}
      />
      <ScopeField fields={fields} onChange={onChange} folder={folder} selectedCount={selectedCount} />
    </Stack>
  )
}

function ScopeField({ fields, onChange, folder, selectedCount }: Omit<ReplaceFieldsProps, 'error'>) {
  const { w, format } = useTexts(words)
  if (selectedCount !== null)
    return <Text size="sm">{w.inSelection(selectedCount, format.number(selectedCount))}</Text>
  if (folder === '') return null
  return (
    <SegmentedControl
      aria-label={w.where}
      value={fields.searchesAllFolders ? 'everywhere' : 'folder'}
      onChange={value => onChange({ searchesAllFolders: value === 'everywhere' })}
      style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
      data={[
        { value: 'folder', label: w.inFolder(folder) },
        { value: 'everywhere', label: w.everywhere },
      ]}
    />
  )
}
