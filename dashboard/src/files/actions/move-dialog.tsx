/** The dialog that moves files or a folder to a chosen or typed folder, and lists refused files. */
import { Alert, List, TextInput } from '@mantine/core'
import { useGet } from '../../api/use-get.ts'
import { useTexts } from '../../language/language.tsx'
import { useServiceText } from '../../language/service-text.ts'
import { folderOf, nameOf } from '../../state/paths.ts'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { trimFolder } from '../../ui/forms/folder-list.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Tree } from '../../ui/tree/tree.tsx'
import { useFilesPage } from '../files-context.ts'
import { fileCountOf, isFolder, isWholeResult, mayMove, singleFileOf, type Target } from '../target.ts'
import { actionWords } from '../words.ts'
import classes from './dialogs.module.css'
import { useRetrievalSentences, useRetrievals } from './retrievals.ts'
import type { RefusedFile } from './use-actions.ts'

export function MoveDialog({ target, onClose }: { target: Target; onClose(): void }) {
  const { w, format } = useTexts(actionWords)
  const { actions } = useFilesPage().commands
  const retrievals = useRetrievals(target)
  const { sentenceBeforeChange: retrievalSentenceOf } = useRetrievalSentences()
  const { data: folders = [] } = useGet('folders')
  const singlePath = isFolder(target) ? target : singleFileOf(target)?.path
  return (
    <FormDialog
      size="lg"
      gap="sm"
      title={
        singlePath === undefined
          ? w.moveMany(format.number(fileCountOf(target)))
          : w.moveOne(nameOf(singlePath))
      }
      submit={w.moveHere}
      initialValues={{ folder: initialFolder(target) }}
      isLocked={({ folder }) => !mayMove(target, trimFolder(folder))}
      send={({ folder }) => actions.move(target, trimFolder(folder))}
      onSent={refusedFiles => refusedFiles.length === 0 && onClose()}
      onClose={onClose}
    >
      {({ values, set, field, submission }) => (
        <>
          <div className={classes.tree}>
            <Tree
              folders={folders}
              currentFolder={trimFolder(values.folder)}
              onPick={folder => set({ folder })}
            />
          </div>
          <TextInput
            {...field('folder')}
            label={w.moveTo}
            description={w.moveToHint}
            placeholder={w.top}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <DimmedText mih="1.5em">{retrievals && retrievalSentenceOf(retrievals)}</DimmedText>
          <RefusedList refusedFiles={submission.data ?? []} />
        </>
      )}
    </FormDialog>
  )
}

/**
 * The folder that is selected at first. For a folder it is the parent, for files the folder of the first one,
 * and for a whole result the folder to which the query is limited.
 */
function initialFolder(target: Target): string {
  if (isFolder(target)) return folderOf(target)
  return isWholeResult(target) ? (target.query.ordner ?? '') : folderOf(target[0]?.path ?? '')
}

/** Maximum number of refused files that are listed. */
const MAX_SHOWN_FILES = 50

function RefusedList({ refusedFiles }: { refusedFiles: readonly RefusedFile[] }) {
  const { w, format } = useTexts(actionWords)
  const serviceText = useServiceText()
  if (refusedFiles.length === 0) return null
  return (
    <Alert role="alert" color="red" variant="light" title={w.moveRefused}>
      <List size="sm" className={classes.refused}>
        {refusedFiles.slice(0, MAX_SHOWN_FILES).map(({ pfad, grund, code }) => (
          <List.Item key={pfad}>
            {pfad}: {serviceText(grund, code)}
          </List.Item>
        ))}
        {refusedFiles.length > MAX_SHOWN_FILES && (
          <List.Item>{w.andMore(format.number(refusedFiles.length - MAX_SHOWN_FILES))}</List.Item>
        )}
      </List>
    </Alert>
  )
}
