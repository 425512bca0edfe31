/** Entries of menus: the files themselves, and lists of them. */
import { Menu } from '@mantine/core'
import { IconDownload, IconTableExport } from '@tabler/icons-react'
import { useWords } from '../../../language/language.tsx'
import { MenuEntry } from '../../../parts/buttons.tsx'
import { countOf, isWhole } from '../selection/meant.ts'
import { actionWords } from '../words.ts'
import { EXPORT_FORMATS, useDownload, type Wanted } from './download.ts'

export function DownloadItem({ wanted }: { wanted: Wanted }) {
  const w = useWords(actionWords)
  const download = useDownload()
  const isOne = typeof wanted !== 'string' && !isWhole(wanted) && countOf(wanted) === 1
  return (
    <MenuEntry
      icon={IconDownload}
      label={isOne ? w.download : w.downloadZip}
      onClick={() => download.files(wanted)}
    />
  )
}

/** In a menu of its own within the menu, or side by side where there is room. */
export function ExportItems({ wanted }: { wanted: Wanted }) {
  const w = useWords(actionWords)
  const download = useDownload()
  return EXPORT_FORMATS.map(format => (
    <Menu.Item key={format} onClick={() => download.list(wanted, format)}>
      {w[format]}
    </Menu.Item>
  ))
}

export function ExportMenu({ wanted }: { wanted: Wanted }) {
  const w = useWords(actionWords)
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconTableExport size={18} stroke={1.6} aria-hidden />}>
          {w.exportList}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <ExportItems wanted={wanted} />
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
