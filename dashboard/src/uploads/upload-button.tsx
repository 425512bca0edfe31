/** „Hochladen“: picks files and sends them to the folder that is open. */
import { ActionIcon, Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { useFormat, useWords } from '../language/language.tsx'
import { useNotify } from '../parts/notify.tsx'
import { sendFiles } from './send.ts'
import { setUploadProgress } from './store.ts'
import { words } from './words.ts'

export function UploadButton() {
  const w = useWords(words)
  const upload = useUpload()
  return (
    <FileButton multiple onChange={files => void upload(files)}>
      {props => (
        <>
          <Button {...props} visibleFrom="sm" leftSection={<IconUpload size={18} aria-hidden />}>
            {w.upload}
          </Button>
          <ActionIcon {...props} hiddenFrom="sm" size="lg" aria-label={w.upload}>
            <IconUpload size={18} aria-hidden />
          </ActionIcon>
        </>
      )}
    </FileButton>
  )
}

function useUpload() {
  const w = useWords(words)
  const format = useFormat()
  const notify = useNotify()
  const queries = useQueryClient()
  const folder = new URLSearchParams(useSearch()).get('ordner') ?? ''
  return async (files: readonly File[]) => {
    if (files.length === 0) return
    try {
      const { gespeichert, abgelehnt } = await sendFiles(files, { folder, onProgress: setUploadProgress })
      const count = gespeichert.length
      if (count > 0) notify.done(w.stored(count, format.number(count)))
      for (const { name, grund } of abgelehnt) notify.refused(`${name}: ${grund}`)
      await queries.invalidateQueries()
    } catch (error) {
      notify.failed(error as Error)
    } finally {
      setUploadProgress(null)
    }
  }
}
