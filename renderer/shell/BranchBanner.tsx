/** Says that the page looks at another cluster than the user's own, and leads back. */
import { CornerUpLeft, GitBranch } from 'lucide-react';
import { branchBase } from '../api/branch.ts';

export function BranchBanner() {
  if (branchBase === '') return null;
  const name = decodeURIComponent(branchBase.slice('/branches/'.length));
  return (
    <div className="branch-banner" role="note">
      <GitBranch size={14} aria-hidden />
      <span className="text">
        You look into <code>{name}</code>, a cluster beside your own, which nothing that you do here touches.
      </span>
      <a className="link" href="/#/scenarios">
        <CornerUpLeft size={14} aria-hidden /> Back to your cluster
      </a>
    </div>
  );
}
