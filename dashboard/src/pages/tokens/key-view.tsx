/**
 * `KeyView` shows the key of a new token, which is not shown again, with code samples that contain it.
 * `TokenSamples` shows the samples for an existing token, without its key.
 */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { Warning } from '../../ui/warning.tsx'
import type { CreatedToken } from './form.tsx'
import { formWords } from './form-words.ts'
import { sampleAccessOf } from './samples.ts'
import { SamplesView } from './samples-view.tsx'
import classes from './tokens.module.css'

export function KeyView({ token, onClose }: { token: CreatedToken; onClose(): void }) {
  const w = useWords(formWords)
  const keyInput = useRef<HTMLInputElement>(null)
  // The form that had the focus is gone, so the focus moves to the key, which is selected and can be copied
  // at once.
  useEffect(() => {
    keyInput.current?.focus()
  }, [])
  return (
    <Stack>
      <Warning>{w.keyOnce}</Warning>
      <div className={classes.key}>
        <TextInput
          ref={keyInput}
          label={w.key}
          readOnly
          spellCheck={false}
          value={token.token}
          onFocus={event => event.currentTarget.select()}
        />
        <CopyButton value={token.token} label={w.copyKey} variant="filled" />
      </div>
      <SamplesView token={token} sharex={token.sharex} />
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {w.keyKept}
        </Button>
      </DialogButtons>
    </Stack>
  )
}

export function TokenSamples({ token }: { token: TokenOnWire }) {
  const w = useWords(formWords)
  const query = useGet(`tokens/${token.id}/sharex`)
  return (
    <Stack>
      <QueryResult query={query} skeleton={<TextSkeleton lineCount={6} />}>
        {data => (
          <>
            <Text size="sm">{w.keyUnknown(sampleAccessOf(data, token).key)}</Text>
            <SamplesView token={token} sharex={data} />
          </>
        )}
      </QueryResult>
    </Stack>
  )
}
