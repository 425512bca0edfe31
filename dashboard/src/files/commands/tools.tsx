/** Commands of the viewer that are more than an icon button: copying shows a tick, downloading is a link. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { nameOf } from '../../state/paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import type { FileAnswer } from '../types.ts'

interface ToolProps {
  file: FileAnswer
  label: string
}

export const CopyTool = ({ file, label }: ToolProps) => (
  <CopyButton showsOnlyIcon value={file.url} label={label} />
)

export function DownloadTool({ file, label }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        component="a"
        href={useContentSources().addressOfFile(file.path)}
        download={nameOf(file.path)}
        // A link cannot download a file from another host: such a file opens in a new tab.
        target="_blank"
        variant="subtle"
        color="gray"
        aria-label={label}
      >
        <IconDownload size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
