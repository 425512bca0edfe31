/**
 * The button „Hochladen“: uploads files, a folder, or a file from a URL into the folder that its menu names.
 */
import { Box, Button, Menu, Text } from '@mantine/core'
import { IconFiles, IconFolderPlus, IconUpload, IconWorldDownload } from '@tabler/icons-react'
import { useWords } from '../language/language.tsx'
import { MenuEntry } from '../ui/buttons.tsx'
import { UnfinishedUploads } from './unfinished-uploads.tsx'
import { chooseFiles, chooseFolder, openAddressDialog } from './uploads.ts'
import { useUploadFolder } from './use-upload-folder.ts'
import { words } from './words.ts'

export function UploadButton() {
  const w = useWords(words)
  const folder = useUploadFolder()
  return (
    <Menu position="bottom-end" width={288}>
      <Menu.Target>
        <Button px={{ base: 'xs', sm: 'md' }} aria-label={w.upload}>
          <IconUpload size={18} aria-hidden />
          <Box component="span" ml="xs" visibleFrom="sm">
            {w.upload}
          </Box>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{folder === '' ? w.intoTop : w.into(folder)}</Menu.Label>
        <MenuEntry icon={IconFiles} label={w.chooseFiles} onClick={() => void chooseFiles(folder)} />
        <MenuEntry icon={IconFolderPlus} label={w.chooseFolder} onClick={() => void chooseFolder(folder)} />
        <MenuEntry icon={IconWorldDownload} label={w.fromAddress} onClick={() => openAddressDialog(folder)} />
        <Menu.Divider />
        <Text size="xs" c="dimmed" px="sm" py={4}>
          {w.otherWays}
        </Text>
        <UnfinishedUploads />
      </Menu.Dropdown>
    </Menu>
  )
}
