import { type ChangeEvent, useCallback, useEffect, useId, useRef, useState } from "react";
import { type PercentCrop, ReactCrop } from "react-image-crop";
import { uploadCover } from "./cover.admin-queries.ts";
import "react-image-crop/dist/ReactCrop.css";
import { Button } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { Dialog } from "#app/components/dialog.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import {
  aspectOf,
  COVER_FRAME,
  clampNumber,
  cropToJpeg,
  type Frame,
  initialCrop,
  MIN_CROP_HEIGHT,
  ROTATION,
  refuseContent,
  SCALE,
} from "./cover-crop.ts";

/** What a picture is cut and uploaded for. */
export type CroppedPicture = {
  frame: Frame;
  noun: string;
  title: string;
  description: string;
  button: string;
  uploaded: string;
  /** Returns how the form's value names the picture. */
  upload: (client: BackendClient, jpeg: Blob, at: number) => Promise<string>;
};

const COVER: CroppedPicture = {
  frame: COVER_FRAME,
  noun: "cover",
  title: "Crop Book Cover",
  description: "Everything inside the frame (3:4) becomes the cover.",
  button: "Upload Cover",
  uploaded: "Cover image uploaded successfully!",
  upload: uploadCover,
};

type CoverDialogProps = {
  of?: CroppedPicture;
  /** The file chosen in the form. */
  file: File;
  onUploaded: (uploaded: string) => void;
  onClose: () => void;
};

/** Crops a picture, to a cover of 3:4 unless it is for something else, and uploads it. */
export function CoverDialog({ of = COVER, file: firstFile, onUploaded, onClose }: CoverDialogProps) {
  const { frame } = of;
  const pickerId = useId();
  const picture = useRef<HTMLImageElement>(null);
  const [file, setFile] = useState(firstFile);
  const { refusal, address } = useCheckedFile(file, frame);
  const [crop, setCrop] = useState<PercentCrop>();
  const [scaleText, setScaleText] = useState("1");
  const [rotationText, setRotationText] = useState("0");
  const [uploading, setUploading] = useState(false);
  const scale = clampNumber(scaleText, SCALE, 1);
  const rotation = clampNumber(rotationText, ROTATION, 0);

  /** The picker shows the name of the file chosen in the form. */
  const showFirstFile = useCallback(
    (picker: HTMLInputElement | null) => {
      if (!picker) return;
      const files = new DataTransfer();
      files.items.add(firstFile);
      picker.files = files.files;
    },
    [firstFile],
  );

  function choose(event: ChangeEvent<HTMLInputElement>) {
    const [chosen] = event.target.files ?? [];
    if (!chosen) return;
    setFile(chosen);
    setCrop(undefined);
    setScaleText("1");
    setRotationText("0");
  }

  async function upload() {
    if (!picture.current || !crop) return;
    setUploading(true);
    try {
      const jpeg = await cropToJpeg(picture.current, { crop, scale, rotation, frame });
      const uploaded = await of.upload(await getBackend(), jpeg, Date.now());
      showToast("success", of.uploaded);
      onUploaded(uploaded);
    } catch (error) {
      logFailure(`Uploading a ${of.noun} failed`, error);
      showToast("error", "Failed to upload image. Please try again.", {
        description: staffMessage(error) ?? undefined,
      });
      setUploading(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={of.title}
      description={of.description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={upload} disabled={!crop} busy={uploading}>
            {uploading ? "Uploading..." : of.button}
          </Button>
        </>
      }
    >
      <label htmlFor={pickerId} className="mb-1.5 block font-semibold">
        Image file
      </label>
      <input
        ref={showFirstFile}
        id={pickerId}
        type="file"
        accept="image/*"
        onChange={choose}
        className={filePickerClass}
      />
      {refusal && (
        <p role="alert" className="mt-3 rounded-card bg-clay-tint px-4 py-3 text-clay">
          {refusal}
        </p>
      )}
      {address && (
        <div className="mt-4 flex justify-center overflow-hidden rounded-card bg-paper p-2">
          <ReactCrop
            crop={crop}
            onChange={(_, percent) => setCrop(percent)}
            aspect={aspectOf(frame)}
            minHeight={MIN_CROP_HEIGHT}
            keepSelection
            disabled={uploading}
          >
            <img
              ref={picture}
              src={address}
              alt="The chosen file"
              style={{ transform: `scale(${scale}) rotate(${rotation}deg)`, maxHeight: "45vh" }}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
                setCrop(initialCrop({ width, height }, frame))
              }
            />
          </ReactCrop>
        </div>
      )}
      <div className="mt-4 grid grid-cols-2 gap-4">
        <InputField
          label="Scale"
          hint="0.5 to 3"
          type="number"
          {...SCALE}
          value={scaleText}
          disabled={!crop}
          onChange={(event) => setScaleText(event.target.value)}
          onBlur={() => setScaleText(String(scale))}
        />
        <InputField
          label="Rotate"
          hint="-180 to 180 degrees"
          type="number"
          {...ROTATION}
          value={rotationText}
          disabled={!crop}
          onChange={(event) => setRotationText(event.target.value)}
          onBlur={() => setRotationText(String(rotation))}
        />
      </div>
    </Dialog>
  );
}

/** A file picker that looks like the other fields. */
export const filePickerClass = `${controlClass} py-1.5 pl-1.5 file:mr-3 file:min-h-8 file:rounded-control file:border-0 file:bg-tint file:px-3 file:font-semibold file:text-green`;

/** Opens a chosen file: a URL that displays it, or the reason why it cannot be used. */
function useCheckedFile(file: File, { least }: Frame) {
  const [checked, setChecked] = useState<{ refusal: string | null; address: string | null }>(unchecked);
  useEffect(() => {
    let current = true;
    let address: string | null = null;
    setChecked(unchecked);
    void refuseContent(file, least).then((refusal) => {
      if (!current) return;
      if (refusal === null) address = URL.createObjectURL(file);
      setChecked({ refusal, address });
    });
    return () => {
      current = false;
      if (address) URL.revokeObjectURL(address);
    };
  }, [file, least]);
  return checked;
}

const unchecked = { refusal: null, address: null };
