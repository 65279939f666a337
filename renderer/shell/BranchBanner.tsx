/** Says that the page looks at another cluster than the user's own, and leads back. */
import { CornerUpLeft, GitBranch } from 'lucide-react';
import { branchBase } from '../api/branch.ts';
import { Told } from '../components/Told.tsx';
import { texts } from '../texts/texts.ts';

export function BranchBanner() {
  if (branchBase === '') return null;
  const name = decodeURIComponent(branchBase.slice('/branches/'.length));
  return (
    <div className="branch-banner" role="note">
      <GitBranch size={14} aria-hidden />
      <span className="text">
        <Told parts={texts.frame.branch.here(name)} />
      </span>
      <a className="link" href="/#/scenarios">
        <CornerUpLeft size={14} aria-hidden /> {texts.frame.branch.back}
      </a>
    </div>
  );
}
