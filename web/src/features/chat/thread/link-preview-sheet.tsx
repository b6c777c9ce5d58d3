import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { callEdgeFunction } from '#data/supabase.ts'
import type { Message } from '#features/chat/model/chat-types.ts'
import { linkAttributes } from '#lib/linkify.ts'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { linksOf, type WebLink } from './links-of.ts'

type Page = { title: string | null; description: string | null; site: string | null }

/** Where the links of a message lead, read by the server when somebody asks. */
export function LinkPreviewSheet({ message, onClose }: { message: Message; onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title={m.chat_link_preview()} description={m.chat_link_text()}>
      <ul className="grid grid-cols-1 gap-3">
        {linksOf(message.message).map((link) => (
          <li key={link.href} className="rounded-card border border-line p-4">
            <LinkPreview messageId={message.id} link={link} />
          </li>
        ))}
      </ul>
    </Modal>
  )
}

function LinkPreview({ messageId, link }: { messageId: string; link: WebLink }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['link-preview', link.href],
    queryFn: () => callEdgeFunction<Page>('preview', { message_id: messageId, link: link.text }),
    staleTime: 600_000,
    retry: false,
  })
  return (
    <>
      <div aria-live="polite" className="mb-2">
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!error && !data && <SkeletonRows count={1} />}
        {data && (
          <>
            <p className="font-semibold wrap-anywhere">{data.title ?? hostOf(link)}</p>
            <p className="text-small wrap-anywhere text-muted">
              {data.description ?? (data.title ? '' : m.chat_link_says_nothing())}
            </p>
            {data.site !== null && data.site !== hostOf(link) && (
              <p className="mt-1 text-small wrap-anywhere">
                {m.chat_link_leads_to({ site: data.site })}
              </p>
            )}
          </>
        )}
      </div>
      <a
        {...linkAttributes(link.href)}
        className="inline-flex min-h-target items-center gap-1 font-semibold wrap-anywhere text-primary hover:underline"
      >
        {m.chat_link_open({ site: hostOf(link) })}
        <ArrowUpRight aria-hidden="true" className="size-4.5 flex-none" />
      </a>
    </>
  )
}

const hostOf = ({ href }: WebLink) => new URL(href).hostname.replace(/^www\./, '')
