/**
 * The dialog that renames a file or folder, with a warning that addresses change. When it opens, the name is
 * selected without its extension.
 */
import { Button, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { cleanPath } from '../../../../src/contract/paths/clean-path.ts'
import { pathBelow } from '../../../../src/contract/paths/path-parts.ts'
import { pathFault } from '../../../../src/contract/paths/path-rules.ts'
import { useWords } from '../../language/language.tsx'
import { folderOf, nameOf } from '../../state/paths.ts'
import { pressedKeysOf } from '../../state/pressed-keys.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { useErrorText } from '../../ui/error-notice.tsx'
import { pathWords } from '../../ui/files/path-words.ts'
import { Dialog } from '../../ui/forms/dialog.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { useFilesPage } from '../files-context.ts'
import { isFolder, singleFileOf, type Target } from '../target.ts'
import { actionWords } from '../words.ts'
import { useRetrievalSentences, useRetrievals } from './retrievals.ts'

interface RenameProps {
  /** A folder, or a single file. */
  target: Target
  onClose(): void
}

const pathOf = (target: Target) => (isFolder(target) ? target : (singleFileOf(target)?.path ?? ''))
const nameOfTarget = (target: Target) => nameOf(pathOf(target))

/**
 * Returns the rule that a name in this folder breaks (`fault`), and a similar valid name (`suggestion`); each
 * is null if there is none. An empty name breaks no rule, since nothing has been typed yet.
 */
function checkName(folder: string, name: string) {
  const faultOf = (candidateName: string) => pathFault(pathBelow(folder, candidateName))
  const fault = name === '' ? null : faultOf(name)
  const cleanName = fault && cleanPath(name)
  return { fault, suggestion: cleanName && faultOf(cleanName) === null ? cleanName : null }
}

export function RenameDialog(props: RenameProps) {
  const w = useWords(actionWords)
  return (
    <Dialog opened onClose={props.onClose} title={w.renameTitle(nameOfTarget(props.target))}>
      <RenameForm {...props} />
    </Dialog>
  )
}

export function RenameForm({ target, onClose }: RenameProps) {
  const w = useWords(actionWords)
  const { actions } = useFilesPage().commands
  const { sentenceBeforeChange: retrievalSentenceOf } = useRetrievalSentences()
  const retrievals = useRetrievals(target)
  const errorTextOf = useErrorText()
  const input = useRef<HTMLInputElement>(null)
  const name = nameOfTarget(target)
  const faultTexts = useWords(pathWords)
  const { values, set, field, form } = useTextForm({
    initialValues: { name },
    // An invalid name is refused here; it is cleaned only if the user accepts the suggestion.
    check: typedValues => ({
      name: checkName(folderOf(pathOf(target)), typedValues.name.trim()).fault !== null && ' ',
    }),
    async send(typedValues) {
      const newName = typedValues.name.trim()
      if (newName !== name) await actions.rename(target, newName)
    },
    onSent: onClose,
  })
  const { fault, suggestion } = checkName(folderOf(pathOf(target)), values.name.trim())
  useEffect(() => {
    // The name of a folder has no extension.
    const dotIndex = isFolder(target) ? -1 : name.lastIndexOf('.')
    input.current?.focus()
    input.current?.setSelectionRange(0, dotIndex > 0 ? dotIndex : name.length)
  }, [name, target])
  useEffect(() => {
    if (form.error) input.current?.focus()
  }, [form.error])
  return (
    <Form
      {...form}
      gap="xs"
      error={null}
      submit={w.rename}
      disabled={values.name.trim() === ''}
      onCancel={onClose}
    >
      <TextInput
        {...field('name')}
        ref={input}
        label={w.newName}
        onKeyDown={event => {
          if (pressedKeysOf(event) !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
        error={fault ? faultTexts[fault] : form.error && errorTextOf(form.error)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {suggestion !== null && (
        <Button
          size="compact-sm"
          variant="light"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            set({ name: suggestion })
            input.current?.focus()
          }}
        >
          {w.useName(suggestion)}
        </Button>
      )}
      <DimmedText mih="1.5em">{retrievals && retrievalSentenceOf(retrievals)}</DimmedText>
    </Form>
  )
}
