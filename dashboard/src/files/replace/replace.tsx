/** The form for search and replace: fields, preview, and execution. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx'
import { bodyForChange, fileCountOf, isFolder, type Target } from '../target.ts'
import { ReplaceFields, type ReplaceValues } from './replace-fields.tsx'
import { ReplacePreview } from './replace-preview.tsx'
import { useReplace } from './use-replace.ts'
import { words } from './words.ts'

export interface ReplaceProps {
  /** A folder (empty: all folders), or files. */
  target: Target
  onDone(): void
}

export function ReplaceForm({ target, onDone }: ReplaceProps) {
  const { w, format } = useTexts(words)
  const [fields, setFields] = useState<ReplaceValues>({
    suche: '',
    ersatz: '',
    regex: false,
    searchesAllFolders: false,
  })
  const { suche, ersatz, regex, searchesAllFolders } = fields
  const { preview, error, execution, isOutdated } = useReplace({
    suche,
    ersatz,
    regex,
    ordner: !isFolder(target) || searchesAllFolders ? '' : target,
    ...(!isFolder(target) && bodyForChange(target)),
  })
  const hitCount = preview?.rows.length ?? 0
  return (
    <Stack gap="md">
      <ReplaceFields
        fields={fields}
        onChange={changes => setFields({ ...fields, ...changes })}
        folder={isFolder(target) ? target : ''}
        selectedCount={isFolder(target) ? null : fileCountOf(target)}
        error={error}
      />
      <ReplacePreview
        preview={preview}
        hasSearchText={suche !== ''}
        hasFailed={error !== null}
        isOutdated={isOutdated}
        textReplacement={regex ? undefined : { search: suche, by: ersatz }}
      />
      {hitCount > 0 && preview && (
        <div>
          <Text size="sm">
            {w.addresses(hitCount, preview.retrievalCount, format.number(preview.retrievalCount))}
          </Text>
          {preview.conflictCount > 0 && <DimmedText>{w.conflictHint}</DimmedText>}
        </div>
      )}
      <ErrorNotice error={execution.error} />
      <DialogButtons>
        <Button
          disabled={hitCount === 0 || isOutdated || (preview?.conflictCount ?? 0) > 0}
          loading={execution.isPending}
          onClick={() => execution.mutate(undefined, { onSuccess: onDone })}
        >
          {hitCount === 0 ? w.rename : w.execute(hitCount, format.number(hitCount))}
        </Button>
      </DialogButtons>
    </Stack>
  )
}
